import { IconListCheck } from '@tabler/icons-react';
import { may, underKey, useListApprovalRulesQuery, useProfile, useRemoveApprovalRuleMutation } from '~/api';
import { kindName } from '~/entities/approvals';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { RulesScreen } from '~/shared/ui/RulesScreen';
import { RuleModal } from './RuleModal';
import { ruleInWords } from './words';

/** The rules of approvals. */
export default function RulesPage() {
  const t = useTexts();
  const locale = useLocale();
  const { role } = useProfile();
  const query = useListApprovalRulesQuery();
  const [remove] = useRemoveApprovalRuleMutation();
  return (
    <RulesScreen
      title={t('common:menu.approvalRules')}
      message={t('approvals:rules.message')}
      query={query}
      mayChange={may.addApprovalRule.includes(role)}
      newLabel={t('approvals:rules.new')}
      empty={{ icon: IconListCheck, title: t('approvals:rules.none') }}
      nameOf={(rule) => kindName(t, rule.kind)}
      inWords={(rule) => ruleInWords(t, locale, rule)}
      form={(rule, onClose) => <RuleModal rule={rule} onClose={onClose} />}
      removal={{
        title: t('approvals:rules.remove'),
        message: t('approvals:rules.removeMessage'),
        done: t('approvals:rules.removed'),
        act: ({ id }, key) => remove(underKey({ id }, key)).unwrap(),
      }}
    />
  );
}
