/** What went wrong with a call, in one shape whatever the cause: the server's problem details or a lost network. */
export interface Problem {
  /** HTTP status; 0 when no answer came. */
  status: number;
  /**
   * Stable code of the server, or `network`, `timeout`, `unreadable`, `lost` (a write whose answer did not come), or
   * `first_try_done` (it had been done, and what was sent in its place was not).
   */
  code: string;
  /** In the reader's language when the server said it; empty for the client's own codes. */
  detail: string;
  fields: FieldProblem[];
  /** Seconds the server asked to wait. */
  retryAfter?: number;
}

export interface FieldProblem {
  field: string;
  code: string;
  detail: string;
}

/** Whether a caught value is a Problem. */
export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'fields' in value;
}

/** A Problem made of whatever was thrown. */
export function asProblem(thrown: unknown): Problem {
  return isProblem(thrown) ? thrown : { status: 0, code: 'unexpected', detail: '', fields: [] };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads an `application/problem+json` body; anything else becomes a Problem without detail. */
export function readProblem(status: number, body: unknown, retryAfter?: number): Problem {
  const bag = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const errors = Array.isArray(bag.errors) ? (bag.errors as unknown[]) : [];
  return {
    status,
    code: text(bag.code) || 'unreadable',
    detail: text(bag.detail) || text(bag.title),
    fields: errors.flatMap((error) => {
      if (typeof error !== 'object' || error === null) return [];
      const row = error as Record<string, unknown>;
      return [{ field: text(row.field), code: text(row.code), detail: text(row.detail) }];
    }),
    retryAfter,
  };
}
