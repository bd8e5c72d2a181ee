import { Alert, Group, ScrollArea, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ResolverResult } from 'react-hook-form';
import {
  AGENT_TYPE,
  type ImportDetail,
  type ImportKindView,
  type ImportMapping,
  newKey,
  underKey,
  useListAgenciesQuery,
  useListAgentsQuery,
  useListImportKindsQuery,
  usePreviewImportMutation,
  useProfile,
  useSetImportMappingMutation,
} from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { FormPage } from '~/shared/ui/form/FormPage';
import { SelectField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { Loaded } from '~/shared/ui/Loaded';
import { columnName, fieldLabel } from './fields';
import { hasTotals, needsTotals, totalsOf } from './totals';

interface MappingFormProps {
  of: ImportDetail;
  mapping: ImportMapping;
  onSaved: () => void;
}

/** Of the ways to write numbers and dates, the one that nobody knows: each is read alone, or refused. */
const EACH = 'each';

interface Values {
  columns: Record<string, string | null>;
  constants: Record<string, string>;
  decimal: string | null;
  dates: string | null;
  owner: string | null;
  expected: string;
}

/** Says which column is which field; then the rows are previewed. */
export function MappingForm({ of, mapping, onSaved }: MappingFormProps) {
  const t = useTexts();
  const query = useListImportKindsQuery();
  return (
    <Loaded query={query}>
      {({ results }) => {
        const kind = results.find(({ kind }) => kind === of.kind);
        if (!kind) return <Alert color="red">{t('imports:mapping.kindGone')}</Alert>;
        return <Columns of={of} mapping={mapping} kind={kind} onSaved={onSaved} />;
      }}
    </Loaded>
  );
}

function Columns({ of, mapping, kind, onSaved }: MappingFormProps & { kind: ImportKindView }) {
  const t = useTexts();
  const { role } = useProfile();
  const [save] = useSetImportMappingMutation();
  const [preview] = usePreviewImportMutation();
  const { fields } = kind;
  const hasOwner = role === 'manager' && kind.owned;
  const shell = useFormShell<Values, Values>({
    resolver: (values): ResolverResult<Values> => {
      const totals = totalsOf(values.expected);
      const isMissing = needsTotals(of.kind) && totals && Object.keys(totals).length === 0;
      if (totals && !isMissing) return { values, errors: {} };
      const message = t(isMissing ? 'imports:mapping.expectedNeeded' : 'imports:mapping.expectedWrong');
      return { values: {}, errors: { expected: { type: 'value', message } } };
    },
    defaults: {
      columns: Object.fromEntries(
        fields.map(({ name }) => {
          const column = mapping.columns?.[name];
          return [name, column === undefined ? null : String(column)];
        }),
      ),
      constants: Object.fromEntries(fields.map(({ name }) => [name, mapping.constants?.[name] ?? ''])),
      decimal: mapping.decimal ?? EACH,
      dates: mapping.dates ?? EACH,
      owner: mapping.owner ?? null,
      expected: Object.entries(mapping.expected ?? {})
        .map(([currency, total]) => `${currency} ${total}`)
        .join('; '),
    },
    newKey,
    fieldNames: Object.fromEntries(fields.map(({ name }) => [name, `columns.${name}` as 'columns'])),
    send: async (values, key) => {
      const chosen = fields.filter(({ name }) => values.columns[name] != null);
      const fixed = fields.filter(
        ({ name }) => values.columns[name] == null && values.constants[name]?.trim(),
      );
      const importMapping: ImportMapping = {
        columns: Object.fromEntries(chosen.map(({ name }) => [name, Number(values.columns[name])])),
        constants: Object.fromEntries(fixed.map(({ name }) => [name, values.constants[name]?.trim() ?? ''])),
        decimal: values.decimal === 'comma' || values.decimal === 'point' ? values.decimal : null,
        dates: values.dates === 'dayFirst' || values.dates === 'monthFirst' ? values.dates : null,
        owner: values.owner,
        expected: totalsOf(values.expected) ?? {},
      };
      await save({ id: of.id, importMapping: underKey(importMapping, key) }).unwrap();
      await preview({ id: of.id }).unwrap();
      onSaved();
    },
  });
  const columns = of.headers.map((_, column) => ({
    value: String(column),
    label: columnName(t, of.headers, column),
  }));
  const numbers = fields.some(({ shape }) => shape === 'number');
  const dates = fields.some(({ shape }) => shape === 'date' || shape === 'moment');
  const chosen = shell.form.watch('columns');
  return (
    <Stack gap="md">
      {of.notices.length > 0 && (
        <Alert color="gray" icon={<IconInfoCircle size={18} aria-hidden />}>
          {of.notices.map((notice) => (
            <Text key={notice} size="sm">
              {t(`imports:notices.${notice}`)}
            </Text>
          ))}
        </Alert>
      )}
      <FormPage label={t('imports:mapping.title')} shell={shell} saveLabel={t('imports:mapping.preview')}>
        {hasOwner && <OwnerField />}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
          {numbers && (
            <SelectField<Values>
              name="decimal"
              label={t('imports:mapping.decimal')}
              required
              allowDeselect={false}
              data={[
                { value: 'point', label: '1,234.50' },
                { value: 'comma', label: '1.234,50' },
                { value: EACH, label: t('imports:mapping.decimalEach') },
              ]}
            />
          )}
          {dates && (
            <SelectField<Values>
              name="dates"
              label={t('imports:mapping.dates')}
              required
              allowDeselect={false}
              data={[
                { value: 'dayFirst', label: t('imports:mapping.dayFirst') },
                { value: 'monthFirst', label: t('imports:mapping.monthFirst') },
                { value: EACH, label: t('imports:mapping.datesEach') },
              ]}
            />
          )}
        </SimpleGrid>
        {hasTotals(of.kind) && (
          <TextField<Values>
            name="expected"
            label={t('imports:mapping.expected')}
            description={t('imports:mapping.expectedHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required={needsTotals(of.kind)}
            autoComplete="off"
          />
        )}
        {fields.map(({ name, required }) => (
          <Group key={name} gap="sm" align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
            <SelectField<Values>
              name={`columns.${name}`}
              label={fieldLabel(t, name)}
              withAsterisk={required}
              placeholder={t('imports:mapping.none')}
              searchable
              data={columns}
              miw={220}
            />
            {chosen[name] == null && (
              <TextField<Values>
                name={`constants.${name}`}
                label={t('imports:mapping.fixed')}
                aria-label={t('imports:mapping.fixedOf', { field: fieldLabel(t, name) })}
                autoComplete="off"
                miw={220}
              />
            )}
          </Group>
        ))}
      </FormPage>
      <Sample of={of} />
    </Stack>
  );
}

/** For whom the office imports: read by those who read agencies and agents. */
function OwnerField() {
  const agencies = useListAgenciesQuery({ recordsPerPage: 0 });
  const agents = useListAgentsQuery({ recordsPerPage: 0 });
  return (
    <Loaded query={agencies}>
      {({ data: ofOffice }) => (
        <Loaded query={agents}>
          {({ data: others }) => (
            <SellerField
              sellers={[
                ...ofOffice.filter(({ isActive }) => isActive),
                ...others.filter(({ isActive, agentType }) => isActive && agentType === AGENT_TYPE.internal),
              ]}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

function SellerField({ sellers }: { sellers: { id: string; name: string | null }[] }) {
  const t = useTexts();
  return (
    <SelectField<Values>
      name="owner"
      label={t('imports:mapping.owner')}
      description={t('imports:mapping.ownerHint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      required
      searchable
      data={sellers.map(({ id, name }) => ({ value: id, label: name ?? t('entities:erased') }))}
    />
  );
}

/** The first rows of the file as they were read. */
function Sample({ of }: { of: ImportDetail }) {
  const t = useTexts();
  return (
    <section aria-label={t('imports:mapping.sample')}>
      <Text size="sm" fw={600} mb={4}>
        {t('imports:mapping.sample')}
      </Text>
      <ScrollArea type="auto" tabIndex={0}>
        <Table withTableBorder withColumnBorders fz="sm" aria-label={t('imports:mapping.sample')}>
          <Table.Thead>
            <Table.Tr>
              {of.headers.map((_, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
                <Table.Th key={column} style={{ whiteSpace: 'nowrap' }}>
                  {columnName(t, of.headers, column)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {of.sample.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
              <Table.Tr key={row}>
                {cells.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity
                  <Table.Td key={column} style={{ whiteSpace: 'nowrap' }}>
                    {cell}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </section>
  );
}
