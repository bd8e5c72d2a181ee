import { Text } from '@mantine/core';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useSyncExternalStore } from 'react';
import { type FieldValues, type Path, useFormContext } from 'react-hook-form';
import { keepsRule, passwordPolicy, rulesOf, subscribeToPasswordPolicy } from '~/shared/lib/password';
import { useTexts } from '~/shared/lib/texts';
import classes from './PasswordRules.module.css';

/**
 * Whether a repeated password equals the first one, updated while typing. Shows nothing before the repetition
 * begins, nor while its field shows the error.
 */
export function PasswordMatch<Values extends FieldValues>(
  names: Record<'password' | 'repeated', Path<Values>>,
) {
  const t = useTexts();
  const { watch, trigger, formState, getFieldState } = useFormContext<Values>();
  const { repeated } = names;
  const again = watch(repeated);
  const match = watch(names.password) === again;
  const refused = getFieldState(repeated, formState).invalid;
  // Revalidates both passwords: the form revalidates only the changed field, so the other's error would stay.
  useEffect(() => {
    if (refused && match) void trigger(repeated);
  }, [refused, match, trigger, repeated]);
  const Sign = match ? IconCircleCheck : IconCircle;
  return (
    <Text size="sm" role="status" mih={22} c={match ? undefined : 'dimmed'}>
      {again !== '' && !refused && (
        <>
          <Sign size={15} aria-hidden style={{ verticalAlign: '-2px', marginInlineEnd: 4 }} />
          {match ? t('common:password.match') : t('common:password.noMatch')}
        </>
      )}
    </Text>
  );
}

/** The password rules, checked while typing. */
export function PasswordRules({ password }: { password: string }) {
  const t = useTexts();
  const policy = useSyncExternalStore(subscribeToPasswordPolicy, passwordPolicy);
  return (
    <ul className={classes.rules} aria-label={t('common:password.rules')}>
      {rulesOf(policy).map((rule) => {
        const kept = keepsRule(rule, password);
        const Sign = kept ? IconCircleCheck : IconCircle;
        return (
          <li key={rule} data-kept={kept || undefined}>
            <Sign
              size={15}
              role="img"
              aria-label={kept ? t('common:password.kept') : t('common:password.notKept')}
            />
            {t(`common:password.${rule}`, { min: policy.minLength, max: policy.maxLength })}
          </li>
        );
      })}
    </ul>
  );
}
