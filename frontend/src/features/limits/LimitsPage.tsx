import { IconGauge } from '@tabler/icons-react';
import {
  may,
  underKey,
  useListLimitRulesQuery,
  useListPaymentGroupsQuery,
  useProfile,
  useRemoveLimitRuleMutation,
} from '~/api';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { RulesScreen } from '~/shared/ui/RulesScreen';
import { LimitModal } from './LimitModal';
import { outcomeName, ruleInWords } from './words';

/** The rules of limits. */
export default function LimitsPage() {
  const t = useTexts();
  const locale = useLocale();
  const { role } = useProfile();
  const query = useListLimitRulesQuery();
  const { data: groups } = useListPaymentGroupsQuery({});
  const [remove] = useRemoveLimitRuleMutation();
  const groupName = (id: string) => groups?.data.find((group) => group.id === id)?.name ?? id;
  return (
    <RulesScreen
      title={t('common:menu.limits')}
      message={t('limits:message')}
      query={query}
      mayChange={may.addLimitRule.includes(role)}
      newLabel={t('limits:new')}
      empty={{ icon: IconGauge, title: t('limits:none') }}
      nameOf={(rule) => outcomeName(t, rule.outcome)}
      inWords={(rule) => ruleInWords(t, locale, rule, groupName)}
      form={(rule, onClose) => <LimitModal rule={rule} groups={groups?.data ?? []} onClose={onClose} />}
      removal={{
        title: t('limits:remove'),
        message: t('limits:removeMessage'),
        done: t('limits:removed'),
        act: ({ id }, key) => remove(underKey({ id }, key)).unwrap(),
      }}
    />
  );
}
