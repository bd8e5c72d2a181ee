import { Button } from '@mantine/core';
import { IconArrowBackUp, IconFileTypePdf } from '@tabler/icons-react';
import { useState } from 'react';
import { downloadFile, type Movement, may, useProfile } from '~/api';
import { AuditLink } from '~/entities/ledger/audit';
import { EntriesOf } from '~/entities/ledger/EntriesOf';
import { offers } from '~/entities/offers';
import { asProblem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { problemText } from '~/shared/ui/problemText';
import { useToast } from '~/shared/ui/toasts/toasts';
import classes from './Movements.module.css';
import { ReverseDialog } from './ReverseDialog';

/** A movement in full: who made it and why, what it moved in the ledger, its receipt, and taking it back. */
export function MovementDetail({ movement }: { movement: Movement }) {
  const t = useTexts();
  const toast = useToast();
  const { role } = useProfile();
  const [reversing, setReversing] = useState(false);
  const receipt = () =>
    downloadFile(`/api/sources/movements/${movement.id}/receipt`, {}, `${movement.number}.pdf`).catch(
      (thrown) => toast('bad', problemText(t, asProblem(thrown))),
    );
  return (
    <div className={classes.detail}>
      <div className={classes.actions}>
        <Button
          variant="default"
          leftSection={<IconFileTypePdf size={17} aria-hidden />}
          onClick={() => void receipt()}
        >
          {t('entities:movement.receipt')}
        </Button>
        {offers(movement, 'reverse') && (
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={17} aria-hidden />}
            onClick={() => setReversing(true)}
          >
            {t('entities:movement.reverse')}
          </Button>
        )}
        <AuditLink kind="movement" id={movement.id} />
      </div>
      <div className={classes.facts}>
        <Facts
          facts={[
            {
              label: t('entities:movement.actor'),
              value: movement.actor.name ?? t('entities:ledger.system'),
            },
            ...(movement.approvedBy
              ? [
                  {
                    label: t('entities:movement.approvedBy'),
                    value: movement.approvedBy.name ?? t('entities:erased'),
                  },
                ]
              : []),
            ...(movement.note ? [{ label: t('entities:movement.note'), value: movement.note }] : []),
            ...(movement.reverseReason
              ? [{ label: t('entities:movement.reverseReason'), value: movement.reverseReason }]
              : []),
          ]}
        />
      </div>
      {may.listEntries.includes(role) && <EntriesOf cause={movement.id} />}
      {reversing && <ReverseDialog movement={movement} onClose={() => setReversing(false)} />}
    </div>
  );
}
