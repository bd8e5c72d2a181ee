import { useCallback, useEffect, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import { asProblem, type Expected, type Problem, QUOTE_CHANGED } from '~/shared/lib/problem';

/**
 * Converts a form's values to the request's. The resolver's own type hides its output in a condition that TypeScript
 * does not infer through; the phantom property repeats the type.
 */
export type FormRules<Values extends FieldValues, Output extends FieldValues> = Resolver<
  Values,
  unknown,
  Output
> & { readonly output?: Output };

/** Problem code of a form whose first attempt, with a lost answer, had taken effect. */
export const FIRST_TRY_DONE = 'first_try_done';

/** Refusals without a field that are about an amount. */
const SHORT = new Set(['balance_insufficient', 'cash_insufficient', 'treasury_insufficient']);
const AMOUNT = 'amount';

/** Whether the write may have taken effect although its answer does not say so. */
function isWithoutOutcome({ status }: Problem): boolean {
  return status === 0 || status >= 500;
}

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
  /** The error that no field shows. */
  problem: Problem | null;
  /** True while leaving would lose input. */
  unsaved: boolean;
}

/**
 * A form over react-hook-form. A form instance keeps one idempotency key until the server accepts: a double click, or
 * a retry after a lost answer, has one effect. The server's errors are shown at their fields.
 */
export function useFormShell<Values extends FieldValues, Output extends FieldValues>(
  options: FormShellOptions<Values, Output>,
): FormShellState<Values, Output> {
  const form = useForm<Values, unknown, Output>({
    resolver: options.resolver,
    defaultValues: options.defaults,
    shouldFocusError: true,
  });
  const [problem, setProblem] = useState<Problem | null>(null);
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState(false);
  const [settled, setSettled] = useState(0);
  const key = useRef<string | null>(null);
  const busy = useRef(false);
  const last = useRef<Output | null>(null);
  const doneBefore = useRef(false);
  const outcomeUnknown = useRef(false);
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
      let unplaced = refused.fields.length === 0 && !short;
      for (const { field, detail } of refused.fields) {
        // An error of a list's entry ("zones[2]") is shown at the list's field.
        const root = field.split(/[.[]/)[0] ?? field;
        const at = names[field] ?? names[root] ?? ((field.includes('[') ? root : field) as Path<Values>);
        if (!known.has(at.split('.')[0] ?? '')) {
          unplaced = true;
          continue;
        }
        form.setError(at, { type: 'server', message: detail }, { shouldFocus: first });
        first = false;
      }
      setProblem(unplaced ? refused : null);
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
    setSending(true);
    setProblem(null);
    key.current ??= latest.current.newKey();
    try {
      await latest.current.send(values, key.current, confirmed);
      key.current = null;
      doneBefore.current = false;
      outcomeUnknown.current = false;
      if (latest.current.stays) form.reset(form.getValues());
      else setSent(true);
    } catch (thrown) {
      const refused = asProblem(thrown);
      doneBefore.current = refused.code === FIRST_TRY_DONE;
      outcomeUnknown.current = isWithoutOutcome(refused);
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

  const refuse = (thrown: unknown) => place(asProblem(thrown));
  const refusePreview = async (thrown: unknown, values: Output) => {
    const refused = asProblem(thrown);
    if (outcomeUnknown.current && !isWithoutOutcome(refused)) await send(values);
    else place(refused);
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
    unsaved: form.formState.isDirty && !sent,
  };
}
