import { Text } from '@mantine/core';
import {
  newKey,
  type Proposal,
  underKey,
  useApproveProposalMutation,
  useRejectProposalMutation,
  useWithdrawProposalMutation,
} from '~/api';
import { kindName } from '~/entities/approvals';
import { reason } from '~/entities/limits';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { FormConfirm } from '~/shared/ui/form/FormConfirm';
import { TextareaField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Money } from '~/shared/ui/Money';
import { useToast } from '~/shared/ui/toasts/toasts';
import { concernsName } from './columns';

interface DecideProps {
  proposal: Proposal;
  onClose: () => void;
}

function useSubject(proposal: Proposal) {
  const t = useTexts();
  const { kind, maker, amount } = proposal;
  const concerns = concernsName(t, proposal);
  return [
    { label: t('approvals:list.kind'), value: kindName(t, kind) },
    ...(concerns ? [{ label: t('approvals:list.concerns'), value: concerns }] : []),
    { label: t('approvals:list.maker'), value: maker.name ?? t('entities:erased') },
    ...(amount
      ? [
          {
            label: t('approvals:list.amount'),
            value: <Money value={amount} currency="USD" />,
            strong: true,
          },
        ]
      : []),
  ];
}

/** A form without fields. */
const noFields = { resolver: () => ({ values: {}, errors: {} }), defaults: {} };

/** Approves; figures that changed since the proposal are shown beside those, and confirmed again. */
export function ApproveDialog({ proposal, onClose }: DecideProps) {
  const t = useTexts();
  const toast = useToast();
  const [approve] = useApproveProposalMutation();
  const shell = useFormShell({
    ...noFields,
    newKey,
    send: async (_, key, expected) => {
      const approvalInput = underKey({ ...(expected && { expected }) }, key);
      await approve({ id: proposal.id, approvalInput }).unwrap();
      toast('good', t('approvals:approve.done'));
      onClose();
    },
  });
  return (
    <FormConfirm
      title={t('approvals:approve.title')}
      facts={useSubject(proposal)}
      confirmLabel={t('approvals:approve.action')}
      shell={shell}
      onClose={onClose}
    >
      <Text>{t('approvals:approve.message')}</Text>
    </FormConfirm>
  );
}

const schema = z.object({ reason });
type Values = z.infer<typeof schema>;

/** Rejects, with a reason that the maker reads. */
export function RejectDialog({ proposal, onClose }: DecideProps) {
  const t = useTexts();
  const toast = useToast();
  const [reject] = useRejectProposalMutation();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { reason: '' },
    newKey,
    send: async (values, key) => {
      await reject({ id: proposal.id, rejectionInput: underKey(values, key) }).unwrap();
      toast('good', t('approvals:reject.done'));
      onClose();
    },
  });
  return (
    <FormConfirm
      title={t('approvals:reject.title')}
      facts={useSubject(proposal)}
      confirmLabel={t('approvals:reject.action')}
      danger
      shell={shell}
      onClose={onClose}
    >
      <TextareaField<Values>
        name="reason"
        label={t('approvals:one.reason')}
        description={t('approvals:reject.hint')}
        required
        data-autofocus
      />
    </FormConfirm>
  );
}

/** Takes an own proposal back. */
export function WithdrawDialog({ proposal, onClose }: DecideProps) {
  const t = useTexts();
  const [withdraw] = useWithdrawProposalMutation();
  return (
    <ConfirmAct
      title={t('approvals:withdraw.title')}
      message={t('approvals:withdraw.message')}
      facts={useSubject(proposal)}
      confirmLabel={t('approvals:withdraw.action')}
      act={(key) => withdraw(underKey({ id: proposal.id }, key)).unwrap()}
      done={t('approvals:withdraw.done')}
      onClose={onClose}
    />
  );
}
