/** Local storage that may be full or forbidden: a preference then lasts as long as the page. */
const fallback = new Map<string, string>();

/** The value kept under a key, or null. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? fallback.get(key) ?? null;
  } catch {
    return fallback.get(key) ?? null;
  }
}

/** Keeps a value under a key; null forgets it. */
export function remember(key: string, value: string | null): void {
  if (value === null) fallback.delete(key);
  else fallback.set(key, value);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Kept in memory above.
  }
}
