import { Button, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import {
  type BulkAssignRow,
  DEALER_TYPE,
  type Remittance,
  underKey,
  useAssignDealerInBulkMutation,
  useListDealersQuery,
  usePreviewBulkAssignMutation,
  useProfile,
} from '~/api';
import { Postings } from '~/entities/ledger/Postings';
import { Effect } from '~/entities/money/Effect';
import { useAnswerAbout } from '~/entities/money/usePreviewOf';
import { messageOf } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { PHONE } from '~/shared/ui/breakpoints';
import { Dialog } from '~/shared/ui/Dialog';
import { Fold } from '~/shared/ui/Fold';
import { FormShell } from '~/shared/ui/form/FormShell';
import { SelectField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Money } from '~/shared/ui/Money';
import classes from './Bulk.module.css';
import type { Selection } from './selection';

const schema = z.object({
  dealerId: z
    .string()
    .nullable()
    .refine((id) => id !== null, 'common:errors.required'),
});
type Values = z.input<typeof schema>;

/** What each row would do, once a dealer is chosen, or why all are refused; neither until it is known. */
function useRows(to: object | null, rows: Remittance[]) {
  const [preview] = usePreviewBulkAssignMutation();
  const ask = useCallback(
    async (write: Parameters<typeof preview>[0]) => byId((await preview(write).unwrap()).results),
    [preview],
  );
  const body = to && { ...to, remittanceIds: rows.map((row) => row.id) };
  return useAnswerAbout(body && { url: '/api/remittances/assign/dealer', method: 'PUT', body }, ask);
}

const byId = (rows: BulkAssignRow[]) => new Map(rows.map((row) => [row.id, row]));

/** The postings of the rows that would be assigned, each as if it were the only one. */
function RowPostings({ rows, told }: { rows: Remittance[]; told: ReadonlyMap<string, BulkAssignRow> }) {
  const t = useTexts();
  const moving = rows.filter(({ id }) => told.get(id)?.preview?.transfers.length);
  if (moving.length === 0) return null;
  return (
    <Fold title={t('entities:ledger.postings')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('remittances:bulk.each')}
        </Text>
        {moving.map((row) => (
          <div key={row.id}>
            <Text size="sm" fw={600} mb={4}>
              {row.code}
            </Text>
            <Postings transfers={told.get(row.id)?.preview?.transfers ?? []} />
          </div>
        ))}
      </Stack>
    </Fold>
  );
}

/** The outcome of a row, or what it would be. */
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
  const warnings = result.preview?.warnings ?? result.warnings;
  const done = t(result.preview ? 'remittances:bulk.possible' : 'remittances:bulk.done');
  if (warnings.length > 0) {
    return (
      <span className={classes.result} data-warned>
        <IconInfoCircle size={16} aria-hidden />
        {`${done} ${warnings.map(messageOf).join(' ')}`}
      </span>
    );
  }
  return (
    <span className={classes.result} data-ok>
      <IconCircleCheck size={16} aria-hidden />
      {done}
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
    type: dealer ? DEALER_TYPE.deliveryMan : DEALER_TYPE.dealer,
    dealerId: dealer ? id : undefined,
    recordsPerPage: 0,
  });
  const dealers = data && 'data' in data ? data.data.filter(({ isActive }) => isActive) : [];
  const receiver = (chosen: string) =>
    dealer ? { dealerId: id, deliveryManId: chosen } : { dealerId: chosen };
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { dealerId: null as string | null },
    newKey: () => selection.key,
    stays: true,
    send: async ({ dealerId }, key) => {
      if (!dealerId) return;
      const body = { ...receiver(dealerId), remittanceIds: rows.map((row) => row.id) };
      const answer = await assign({ bulkAssignInput: underKey(body, key) }).unwrap();
      const found = byId(answer.results);
      setResults(found);
      selection.toggle(
        rows.filter((row) => found.get(row.id)?.ok),
        false,
      );
    },
  });
  const chosen = shell.form.watch('dealerId');
  const { answer: told, refusal } = useRows(chosen && !results ? receiver(chosen) : null, rows);
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
              const result = (results ?? told)?.get(row.id);
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
          {told && <RowPostings rows={rows} told={told} />}
          <Effect preview={null} refusal={shell.problem ? null : refusal} />
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
