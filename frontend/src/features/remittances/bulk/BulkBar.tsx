import { Button, Paper, Text } from '@mantine/core';
import { IconTruckDelivery, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import classes from './Bulk.module.css';
import { BulkAssignDialog } from './BulkAssignDialog';
import { useSelection } from './selection';

/** What can be done with the chosen rows; stands at the bottom of the window as long as there are any. */
export function BulkBar() {
  const t = useTexts();
  const locale = useLocale();
  const selection = useSelection();
  const [assigning, setAssigning] = useState(false);
  if (!selection) return null;
  const count = selection.rows.size;
  return (
    <>
      {count > 0 && (
        <Paper
          withBorder
          shadow="md"
          className={classes.bar}
          component="section"
          aria-label={t('remittances:bulk.label')}
        >
          <Text fw={650} aria-live="polite">
            {t('remittances:bulk.chosen', { count, shown: formatCount(count, locale) })}
          </Text>
          <div className={classes.acts}>
            <Button
              leftSection={<IconTruckDelivery size={17} aria-hidden />}
              onClick={() => setAssigning(true)}
            >
              {t('remittances:bulk.assign')}
            </Button>
            <Button
              variant="subtle"
              leftSection={<IconX size={17} aria-hidden />}
              onClick={() => selection.clear()}
            >
              {t('remittances:bulk.clear')}
            </Button>
          </div>
        </Paper>
      )}
      {assigning && <BulkAssignDialog selection={selection} onClose={() => setAssigning(false)} />}
    </>
  );
}
