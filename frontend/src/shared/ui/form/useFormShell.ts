import { useCallback, useEffect, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import { askOutcome, canAskOutcome, type Outcome, watchOutcome } from '~/shared/lib/outcome';
import {
  asProblem,
  type Expected,
  FIRST_TRY_DONE,
  isWithoutOutcome,
  NOT_DONE,
  type Problem,
  QUOTE_CHANGED,
  WAITING_FOR_APPROVAL,
} from '~/shared/lib/problem';

/**
 * Converts a form's values to the request's. The resolver's own type hides its output in a condition that TypeScript
 * does not infer through; the phantom property repeats the type.
 */
export type FormRules<Values extends FieldValues, Output extends FieldValues> = Resolver<
  Values,
  unknown,
  Output
> & { readonly output?: Output };

/** Refusals without a field of their own that are about how much there is. */
const SHORT = new Set(['balance_insufficient', 'cash_insufficient', 'treasury_insufficient']);
const AMOUNT = 'amount';

const localProblem = (code: string): Problem => ({ status: 0, code, detail: '', fields: [] });

interface FormShellOptions<Values extends FieldValues, Output extends FieldValues> {
  /** zodForm of a schema, or a hand-written resolver. Messages are text keys. */
  resolver: FormRules<Values, Output>;
  defaults: DefaultValues<Values>;
  /** Creates the idempotency key of a form instance. */
  newKey: () => string;
  /**
   * Sends the values and waits for the answer. A thrown Problem is shown at the fields or above the button.
   * `confirmed` has the current figures after a renewed confirmation.
   */
  send: (values: Output, key: string, confirmed?: Expected) => Promise<void>;
  /** Maps the server's field names to the form's where they differ. */
  fieldNames?: Record<string, Path<Values>>;
  /** The form stays on the screen after it was sent, reset. */
  stays?: boolean;
  /** Called after success, when no input counts as unsaved. */
  onSent?: () => void;
  /** An unanswered try from before the page was reloaded. */
  pending?: { key: string; values: Output } | null;
}

export interface FormShellState<Values extends FieldValues, Output extends FieldValues = Values> {
  form: UseFormReturn<Values, unknown, Output>;
  submit: (event?: React.BaseSyntheticEvent) => Promise<void>;
  /** Continues with the effect of an earlier attempt, for the problem `first_try_done`. */
  goOn: () => Promise<void>;
  /** Sends the values again with the server's current figures, for the problem `quote_changed`. */
  confirmAnew: () => Promise<void>;
  /** Shows a refusal at its field or above the button, like one of a submission. */
  refuse: (thrown: unknown) => void;
  /**
   * Handles a preview's refusal. After an attempt without an answer the refusal may be that attempt's own effect,
   * such as a balance that it used up. The values are then sent under its idempotency key, and the server's answer
   * decides.
   */
  refusePreview: (thrown: unknown, values: Output) => Promise<void>;
  /** Clears the problem and returns to the fields. */
  dismiss: () => void;
  sending: boolean;
  /** Number of answered attempts: an answer may arrive before `sending` was rendered. */
  settled: number;
  /** What no field could show; of its fields those that the form has not. */
  problem: Problem | null;
  /** The answer to what was sent was lost, and the form asks what became of it. */
  unanswered: boolean;
  /** True while leaving would lose something. */
  unsaved: boolean;
}

/**
 * A form over react-hook-form. One instance has one idempotency key until the server accepts: pressing
 * twice, or again after the answer was lost, has one effect. Errors of the server stand at their field. After a lost
 * answer the form asks by its key what became of the try: one that was done goes on as if it had been answered, and
 * one that was not may be sent again.
 */
export function useFormShell<Values extends FieldValues, Output extends FieldValues>(
  options: FormShellOptions<Values, Output>,
): FormShellState<Values, Output> {
  const form = useForm<Values, unknown, Output>({
    resolver: options.resolver,
    defaultValues: options.defaults,
    shouldFocusError: true,
  });
  const [pending] = useState(options.pending ?? null);
  const [problem, setProblem] = useState<Problem | null>(pending && localProblem('lost'));
  const [unanswered, setUnanswered] = useState(pending !== null);
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState(false);
  const [settled, setSettled] = useState(0);
  const key = useRef<string | null>(pending?.key ?? null);
  const busy = useRef(false);
  const last = useRef<Output | null>(pending?.values ?? null);
  /** What stood in the fields when they were sent last; null where that was before this page. */
  const sentFields = useRef<string | null>(null);
  const doneBefore = useRef(false);
  const outcomeUnknown = useRef(pending !== null);
  const latest = useRef(options);
  latest.current = options;

  const place = useCallback(
    (refused: Problem) => {
      const names = latest.current.fieldNames ?? {};
      const known = new Set(Object.keys(form.getValues()));
      let first = true;
      const short = refused.fields.length === 0 && SHORT.has(refused.code) && known.has(AMOUNT);
      if (short) {
        const message = { type: 'server', message: refused.detail };
        form.setError(AMOUNT as Path<Values>, message, { shouldFocus: true });
      }
      const unplaced: Problem['fields'] = [];
      for (const row of refused.fields) {
        const { field, detail } = row;
        // One of a list's entries ("zones[2]") is said at the list's field.
        const root = field.split(/[.[]/)[0] ?? field;
        const at = names[field] ?? names[root] ?? ((field.includes('[') ? root : field) as Path<Values>);
        if (!known.has(at.split('.')[0] ?? '')) {
          unplaced.push(row);
          continue;
        }
        form.setError(at, { type: 'server', message: detail }, { shouldFocus: first });
        first = false;
      }
      const isPlaced = short || (refused.fields.length > 0 && unplaced.length === 0);
      setProblem(isPlaced ? null : { ...refused, fields: unplaced });
    },
    [form],
  );

  useEffect(() => {
    if (sent) latest.current.onSent?.();
  }, [sent]);

  const submit = form.handleSubmit(async (values) => {
    // The fields may differ from the values that took effect: they are neither sent nor counted as sent.
    if (doneBefore.current) return;
    await send(values);
  });

  async function send(values: Output, confirmed?: Expected): Promise<void> {
    // React state is updated a frame later, so a ref stops a second click before that.
    if (busy.current) return;
    busy.current = true;
    last.current = values;
    sentFields.current = JSON.stringify(form.getValues());
    setSending(true);
    setUnanswered(false);
    setProblem(null);
    const under = key.current ?? latest.current.newKey();
    key.current = under;
    try {
      await latest.current.send(values, under, confirmed);
      key.current = null;
      doneBefore.current = false;
      outcomeUnknown.current = false;
      if (latest.current.stays) form.reset(form.getValues());
      else setSent(true);
    } catch (thrown) {
      const refused = asProblem(thrown);
      // A proposal under the key stays: the fields are not sent again.
      doneBefore.current = refused.code === FIRST_TRY_DONE || refused.code === WAITING_FOR_APPROVAL;
      outcomeUnknown.current = isWithoutOutcome(refused);
      setUnanswered(outcomeUnknown.current && canAskOutcome(under));
      place(refused);
    } finally {
      busy.current = false;
      setSending(false);
      setSettled((before) => before + 1);
    }
  }

  const goOn = async () => {
    if (last.current) await send(last.current);
  };

  const confirmAnew = async () => {
    const figures = problem?.code === QUOTE_CHANGED ? problem.figures : undefined;
    if (last.current && figures)
      await send(last.current, { payout: figures.payout, totalToPay: figures.totalToPay });
  };

  /** Tells what became of the last try. Fields that were changed since are not lost to what was done before. */
  async function settle(outcome: Exclude<Outcome, 'unreachable'>): Promise<void> {
    if (busy.current) return;
    setUnanswered(false);
    if (outcome === 'untold') return;
    outcomeUnknown.current = false;
    if (outcome === 'free') {
      setProblem(localProblem(NOT_DONE));
      return;
    }
    const isEdited = sentFields.current !== null && sentFields.current !== JSON.stringify(form.getValues());
    if (outcome === 'done' && !isEdited && last.current) {
      await send(last.current);
      return;
    }
    doneBefore.current = true;
    setProblem(localProblem(FIRST_TRY_DONE));
  }
  const settling = useRef(settle);
  settling.current = settle;
  useEffect(() => {
    if (!unanswered || key.current === null) return;
    return watchOutcome(key.current, (outcome) => void settling.current(outcome));
  }, [unanswered]);

  const refuse = (thrown: unknown) => place(asProblem(thrown));
  const refusePreview = async (thrown: unknown, values: Output) => {
    const refused = asProblem(thrown);
    if (!outcomeUnknown.current || !key.current || isWithoutOutcome(refused)) {
      place(refused);
      return;
    }
    const outcome = await askOutcome(key.current);
    if (outcome === 'untold') await send(values);
    else if (outcome === 'unreachable') place(localProblem('lost'));
    else if (outcome === 'free') {
      outcomeUnknown.current = false;
      setUnanswered(false);
      place(refused);
    } else await settle(outcome);
  };
  const dismiss = () => setProblem(null);

  return {
    form,
    submit,
    goOn,
    confirmAnew,
    refuse,
    refusePreview,
    dismiss,
    sending,
    settled,
    problem,
    unanswered,
    unsaved: form.formState.isDirty && !sent && problem?.code !== WAITING_FOR_APPROVAL,
  };
}
