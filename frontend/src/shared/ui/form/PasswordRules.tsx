import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { keepsRule, PASSWORD_RULES } from '~/shared/lib/password';
import { useTexts } from '~/shared/lib/texts';
import classes from './PasswordRules.module.css';

/** The rules of passwords, ticked as one types. */
export function PasswordRules({ password }: { password: string }) {
  const t = useTexts();
  return (
    <ul className={classes.rules} aria-label={t('common:password.rules')}>
      {PASSWORD_RULES.map((rule) => {
        const kept = keepsRule(rule, password);
        const Sign = kept ? IconCircleCheck : IconCircle;
        return (
          <li key={rule} data-kept={kept || undefined}>
            <Sign
              size={15}
              role="img"
              aria-label={kept ? t('common:password.kept') : t('common:password.notKept')}
            />
            {t(`common:password.${rule}`)}
          </li>
        );
      })}
    </ul>
  );
}
