import { Button, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type BulkAssignRow,
  type Remittance,
  underKey,
  useAssignDealerInBulkMutation,
  useListDealersQuery,
  useProfile,
} from '~/api';
import { messageOf } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { PHONE } from '~/shared/ui/breakpoints';
import { Dialog } from '~/shared/ui/Dialog';
import { FormShell } from '~/shared/ui/form/FormShell';
import { SelectField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Money } from '~/shared/ui/Money';
import classes from './Bulk.module.css';
import type { Selection } from './selection';

const DEALER = 0;
const DELIVERY_MAN = 1;
const schema = z.object({
  dealerId: z
    .string()
    .nullable()
    .refine((id) => id !== null, 'common:errors.required'),
});
type Values = z.input<typeof schema>;

function Result({ result }: { result: BulkAssignRow }) {
  const t = useTexts();
  if (result.problem) {
    return (
      <span className={classes.result} data-refused>
        <IconAlertTriangle size={16} aria-hidden />
        {messageOf(result.problem)}
      </span>
    );
  }
  if (result.warnings.length > 0) {
    return (
      <span className={classes.result} data-warned>
        <IconInfoCircle size={16} aria-hidden />
        {`${t('remittances:bulk.done')} ${result.warnings.map(messageOf).join(' ')}`}
      </span>
    );
  }
  return (
    <span className={classes.result} data-ok>
      <IconCircleCheck size={16} aria-hidden />
      {t('remittances:bulk.done')}
    </span>
  );
}

interface BulkAssignDialogProps {
  selection: Selection;
  onClose: () => void;
}

/** Gives the chosen remittances to one dealer. Each is assigned or refused on its own, and says which. */
export function BulkAssignDialog({ selection, onClose }: BulkAssignDialogProps) {
  const t = useTexts();
  const phone = useMediaQuery(PHONE);
  const [assign] = useAssignDealerInBulkMutation();
  // What was chosen when the dialog opened: the selection loses what is done.
  const [rows] = useState<Remittance[]>(() => [...selection.rows.values()]);
  const [results, setResults] = useState<ReadonlyMap<string, BulkAssignRow> | null>(null);
  // A dealer gives them to one of his delivery men.
  const { role, id } = useProfile();
  const dealer = role === 'dealer';
  const { data } = useListDealersQuery({
    type: dealer ? DELIVERY_MAN : DEALER,
    dealerId: dealer ? id : undefined,
    recordsPerPage: 0,
  });
  const dealers = data && 'data' in data ? data.data.filter(({ isActive }) => isActive) : [];
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { dealerId: null },
    newKey: () => selection.key,
    stays: true,
    send: async ({ dealerId }, key) => {
      const to = dealer ? { dealerId: id, deliveryManId: dealerId } : { dealerId };
      const body = { ...to, remittanceIds: rows.map((row) => row.id) };
      const answer = await assign({ bulkAssignInput: underKey(body, key) }).unwrap();
      const found = new Map(answer.results.map((result) => [result.id, result]));
      setResults(found);
      selection.toggle(
        rows.filter((row) => found.get(row.id)?.ok),
        false,
      );
    },
  });
  return (
    <Dialog
      opened
      onClose={shell.sending ? () => undefined : onClose}
      onBack={onClose}
      title={t(dealer ? 'remittances:bulk.titleMan' : 'remittances:bulk.title')}
      size="lg"
      fullScreen={phone}
    >
      <FormShell shell={shell} label={t('remittances:bulk.title')}>
        {!results && (
          <SelectField<Values>
            name="dealerId"
            label={t(dealer ? 'remittances:detail.deliveryMan' : 'remittances:columns.dealer')}
            required
            searchable
            data-autofocus
            openOnFocus={false}
            data={dealers.map((one) => ({ value: one.id, label: one.name }))}
            nothingFoundMessage={t(dealer ? 'remittances:bulk.noMan' : 'remittances:assign.noDealer')}
          />
        )}
        <Stack gap="sm">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <ul className={classes.rows} aria-label={t('remittances:bulk.rows')} tabIndex={0}>
            {rows.map((row) => {
              const result = results?.get(row.id);
              return (
                <li key={row.id} className={classes.row}>
                  <span>
                    <Text span fw={600}>
                      {row.code}
                    </Text>{' '}
                    · {row.recipient.name ?? t('remittances:erased')}
                    {row.address?.municipality && ` · ${row.address.municipality}`}
                  </span>
                  <Money value={row.payout} currency={row.currencyTo} />
                  {result && <Result result={result} />}
                </li>
              );
            })}
          </ul>
          <Group justify="flex-end" gap="sm">
            {results ? (
              <Button onClick={onClose} data-autofocus>
                {t('common:actions.close')}
              </Button>
            ) : (
              <>
                <Button variant="default" onClick={onClose} disabled={shell.sending}>
                  {t('common:actions.back')}
                </Button>
                <Button type="submit" loading={shell.sending}>
                  {t('remittances:bulk.confirm', { count: rows.length })}
                </Button>
              </>
            )}
          </Group>
        </Stack>
      </FormShell>
    </Dialog>
  );
}
