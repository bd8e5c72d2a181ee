import { Stack, Text } from '@mantine/core';
import { type ImportDetail, type ImportRow, newKey, underKey, useChangeImportRowMutation } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { useToast } from '~/shared/ui/toasts/toasts';
import { columnName } from './fields';
import { errorText } from './rows';

interface FixModalProps {
  of: ImportDetail;
  row: ImportRow;
  onClose: () => void;
}

type Values = Record<string, string>;
const nameOf = (column: number) => `c${column}`;

/** Corrects cells of a row; those in error come first. */
export function FixModal({ of, row, onClose }: FixModalProps) {
  const t = useTexts();
  const toast = useToast();
  const [change] = useChangeImportRowMutation();
  const wrong = new Set(row.errors.flatMap(({ column }) => (column == null ? [] : [column])));
  const mapped = new Set(Object.values(of.mapping?.columns ?? {}));
  const columns = of.headers.map((_, column) => column).filter((column) => mapped.has(column));
  columns.sort((a, b) => Number(wrong.has(b)) - Number(wrong.has(a)) || a - b);
  const shell = useFormShell<Values, Values>({
    resolver: (values) => ({ values, errors: {} }),
    defaults: Object.fromEntries(columns.map((column) => [nameOf(column), row.cells[column] ?? ''])),
    newKey,
    send: async (values, key) => {
      // An empty cell in error, such as a formula without a value, is sent: saving it confirms that it is empty.
      const cells = columns
        .map((column) => ({ column, text: values[nameOf(column)] ?? '' }))
        .filter(
          ({ column, text }) => text !== (row.cells[column] ?? '') || (text === '' && wrong.has(column)),
        );
      if (cells.length > 0) {
        const body = underKey({ cells }, key);
        await change({ id: of.id, number: row.row, importRowInput: body }).unwrap();
        toast('good', t('imports:fix.saved'));
      }
      onClose();
    },
  });
  return (
    <FormModal title={t('imports:fix.title', { line: row.line })} shell={shell} onClose={onClose} size="md">
      <Stack gap="xs">
        {row.errors
          .filter(({ column }) => column == null)
          .map((error) => (
            <Text key={error.code} size="sm" c="red">
              {errorText(error)}
            </Text>
          ))}
        {columns.map((column) => (
          <TextField<Values>
            key={column}
            name={nameOf(column)}
            label={columnName(t, of.headers, column)}
            description={row.errors
              .filter((error) => error.column === column)
              .map(errorText)
              .join(' ')}
            descriptionProps={{ c: 'red' }}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="off"
          />
        ))}
      </Stack>
    </FormModal>
  );
}
