import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { TextField } from '~/shared/ui/form/textFields';

export const codeSchema = z.object({ code: z.string().trim().min(1, 'account:code.required') });
type Values = z.input<typeof codeSchema>;

/** A code of the authenticator app, or a recovery code. */
export function CodeField({ appOnly = false }: { appOnly?: boolean }) {
  const t = useTexts();
  return (
    <TextField<Values>
      name="code"
      label={t('account:code.label')}
      description={appOnly ? undefined : t('account:code.hint')}
      required
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      inputMode={appOnly ? 'numeric' : 'text'}
      data-autofocus
    />
  );
}
