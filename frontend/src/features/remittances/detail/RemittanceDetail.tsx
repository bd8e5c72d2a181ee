import { Anchor, Button, Group, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBan,
  IconCash,
  IconCircleCheck,
  IconEdit,
  IconTruckDelivery,
} from '@tabler/icons-react';
import { useState } from 'react';
import { may, type Remittance, type RemittanceAct, SELLERS, useProfile } from '~/api';
import { shownNumber } from '~/entities/cards/brands';
import { AuditLink } from '~/entities/ledger/audit';
import { ProofImages } from '~/entities/remittances/ProofImages';
import { callLink } from '~/shared/lib/callLink';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { type Fact, Facts } from '~/shared/ui/Facts';
import { offered } from '../actions';
import { AssignDialog } from '../dialogs/AssignDialog';
import { CompleteDialog } from '../dialogs/CompleteDialog';
import { ReasonDialog } from '../dialogs/ReasonDialog';
import { EditAmountDialog } from '../edit/EditAmountDialog';
import { EditDetailsDialog } from '../edit/EditDetailsDialog';
import { ReceiptMenu } from '../ReceiptMenu';
import { HoldButton, Holds } from './Holds';
import { LedgerEntries } from './LedgerEntries';
import { MoneyBreakdown } from './MoneyBreakdown';
import { RefusedActions } from './RefusedActions';
import classes from './RemittanceDetail.module.css';
import { RemittanceHistory } from './RemittanceHistory';

const BUTTONS = {
  complete: { icon: IconCircleCheck, variant: 'filled', color: undefined },
  assign: { icon: IconTruckDelivery, variant: 'default', color: undefined },
  editDetails: { icon: IconEdit, variant: 'default', color: undefined },
  editAmount: { icon: IconCash, variant: 'default', color: undefined },
  error: { icon: IconAlertTriangle, variant: 'default', color: undefined },
  cancel: { icon: IconBan, variant: 'default', color: undefined },
} as const;

function Phone({ number }: { number: string }) {
  return (
    <Anchor href={callLink(number)} size="sm" underline="always">
      {number}
    </Anchor>
  );
}

function useDeliveryFacts(remittance: Remittance, carrier: boolean): Fact[] {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const { sender, recipient, address, card } = remittance;
  const place = [address?.municipality, address?.province].filter(Boolean).join(', ');
  return [
    ...(carrier
      ? []
      : [
          {
            label: t('remittances:columns.sender'),
            value: (
              <>
                {sender.name ?? t('remittances:erased')}
                {sender.phoneNumber && (
                  <>
                    {' · '}
                    <Phone number={sender.phoneNumber} />
                  </>
                )}
              </>
            ),
          },
        ]),
    { label: t('remittances:columns.recipient'), value: recipient.name ?? t('remittances:erased') },
    ...(recipient.phoneNumber
      ? [{ label: t('remittances:detail.phone'), value: <Phone number={recipient.phoneNumber} /> }]
      : []),
    ...(recipient.identificationNumber
      ? [{ label: t('remittances:detail.identification'), value: recipient.identificationNumber }]
      : []),
    ...(remittance.representative
      ? [
          {
            label: t('remittances:detail.representative'),
            value: [remittance.representative.name, remittance.representative.identificationNumber]
              .filter(Boolean)
              .join(' · '),
          },
        ]
      : []),
    ...(remittance.delivered && remittance.completed
      ? [
          {
            label: t('remittances:detail.delivered'),
            value:
              remittance.delivered === remittance.completed
                ? formatDateTime(remittance.delivered, locale, timeZone)
                : `${formatDateTime(remittance.delivered, locale, timeZone)} (${t(
                    'remittances:detail.sentLater',
                    {
                      time: formatDateTime(remittance.completed, locale, timeZone),
                    },
                  )})`,
          },
        ]
      : []),
    { label: t('remittances:detail.method'), value: t(`remittances:method.${remittance.deliveryMethod}`) },
    ...(address?.addressLine ? [{ label: t('remittances:detail.address'), value: address.addressLine }] : []),
    ...(place ? [{ label: t('remittances:columns.place'), value: place }] : []),
    ...(card
      ? [
          {
            label: t(`entities:brand.${card.brand}`),
            value: shownNumber(card.cardNumber) ?? t('remittances:erased'),
          },
        ]
      : []),
    ...(remittance.dealer ? [{ label: t('remittances:columns.dealer'), value: remittance.dealer.name }] : []),
    ...(remittance.deliveryMan
      ? [{ label: t('remittances:detail.deliveryMan'), value: remittance.deliveryMan.name }]
      : []),
    ...(remittance.reference
      ? [{ label: t('remittances:detail.reference'), value: remittance.reference }]
      : []),
    ...(remittance.notes ? [{ label: t('remittances:detail.notes'), value: remittance.notes }] : []),
    ...(remittance.reason ? [{ label: t('remittances:detail.reason'), value: remittance.reason }] : []),
  ];
}

/** A remittance's whole story: delivery, money, what happened, proof, and what the reader may do with it. */
export function RemittanceDetail({ remittance }: { remittance: Remittance }) {
  const t = useTexts();
  const profile = useProfile();
  const [acting, setActing] = useState<RemittanceAct | null>(null);
  const actions = offered(remittance);
  const done = () => setActing(null);
  const seller = SELLERS.includes(profile.role);
  const facts = useDeliveryFacts(remittance, !seller);

  return (
    <div className={classes.detail}>
      <Group gap="xs" className={classes.actions}>
        {actions.map((action) => {
          const { icon: Sign, variant, color } = BUTTONS[action];
          return (
            <Button
              key={action}
              variant={variant}
              color={color}
              leftSection={<Sign size={17} aria-hidden />}
              onClick={() => setActing(action)}
              mih={44}
            >
              {action === 'assign' && remittance.dealer
                ? t('remittances:actions.reassign')
                : t(`remittances:actions.${action}`)}
            </Button>
          );
        })}
        <HoldButton remittance={remittance} />
        {may.getRemittanceReceipt.includes(profile.role) && (
          <ReceiptMenu id={remittance.id} code={remittance.code} />
        )}
        <AuditLink kind="remittance" id={remittance.id} mih={44} />
        <RefusedActions remittance={remittance} />
      </Group>
      <Holds remittance={remittance} />
      <section>
        <Text component="h2" className={classes.heading}>
          {t('remittances:detail.delivery')}
        </Text>
        <Facts facts={facts} />
        <ProofImages proof={remittance.proof} method={remittance.deliveryMethod} />
      </section>
      <section>
        <Text component="h2" className={classes.heading}>
          {t('remittances:detail.money')}
        </Text>
        <MoneyBreakdown remittance={remittance} />
        {may.listEntries.includes(profile.role) && <LedgerEntries id={remittance.id} />}
      </section>
      <section>
        <Text component="h2" className={classes.heading}>
          {t('remittances:detail.history')}
        </Text>
        <RemittanceHistory id={remittance.id} />
      </section>
      {acting === 'assign' && <AssignDialog remittance={remittance} onClose={done} />}
      {acting === 'editDetails' && <EditDetailsDialog remittance={remittance} onClose={done} />}
      {acting === 'editAmount' && <EditAmountDialog remittance={remittance} onClose={done} />}
      {acting === 'complete' && <CompleteDialog remittance={remittance} onClose={done} />}
      {(acting === 'error' || acting === 'cancel') && (
        <ReasonDialog action={acting} remittance={remittance} onClose={done} />
      )}
    </div>
  );
}
