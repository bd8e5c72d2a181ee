import { SimpleGrid } from '@mantine/core';
import {
  newKey,
  type OfficeArea,
  type OfficePermissionSet,
  type PermissionSetInput,
  underKey,
  useAddPermissionSetMutation,
  useChangePermissionSetMutation,
} from '~/api';
import { chosen } from '~/entities/limits';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { SelectField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';
import { AREAS } from './office';

const MAX_NAME = 60;
const schema = z.object({
  name: z.string().trim().min(1, 'common:errors.required').max(MAX_NAME, 'common:errors.tooLong'),
  sales: chosen,
  customers: chosen,
  compliance: chosen,
  payments: chosen,
  parties: chosen,
  rates: chosen,
  accounting: chosen,
  reports: chosen,
  audit: chosen,
  office: chosen,
  integrations: chosen,
  settings: chosen,
});
type Values = z.input<typeof schema>;

function rightOf(set: OfficePermissionSet | undefined, area: OfficeArea): string {
  if (set?.writes.includes(area)) return 'write';
  return set?.reads.includes(area) ? 'read' : 'none';
}

const valuesOf = (set?: OfficePermissionSet) =>
  ({
    name: set?.name ?? '',
    ...Object.fromEntries(AREAS.map((area) => [area, rightOf(set, area)])),
  }) as Values;

/** As the server tells a set: what is written is read too. */
const bodyOf = (values: Values) => ({
  name: values.name,
  reads: AREAS.filter((area) => values[area] !== 'none'),
  writes: AREAS.filter((area) => values[area] === 'write'),
});

/** Adds a permission set, or changes one. Each choice says in words what it allows. */
export function SetModal({ set, onClose }: { set?: OfficePermissionSet; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const [add] = useAddPermissionSetMutation();
  const [change] = useChangePermissionSetMutation();
  const read = valuesOf(set);
  const edits = useChanges(
    () => bodyOf(read),
    (_, now) =>
      Array.isArray(now) ? now.map((area: OfficeArea) => t(`users:areas.${area}.name`)).join(', ') : null,
  );
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: read,
    newKey,
    send: async (values, key) => {
      if (set) {
        await edits.send(edits.changed(bodyOf(values)), (changes) => {
          const permissionSetInput = underKey({ ...changes } as PermissionSetInput, key);
          return change({ id: set.id, permissionSetInput }).unwrap();
        });
      } else {
        await add({ permissionSetInput: underKey(bodyOf(values), key) }).unwrap();
      }
      toast('good', t('users:sets.added'));
      onClose();
    },
  });
  return (
    <FormModal
      title={t(set ? 'users:sets.edit' : 'users:sets.new')}
      shell={shell}
      onClose={onClose}
      size="xl"
    >
      <TextField<Values>
        name="name"
        label={t('users:sets.name')}
        description={t('users:sets.nameHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        autoComplete="off"
        data-autofocus
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
        {AREAS.map((area) => (
          <SelectField<Values>
            key={area}
            name={area}
            label={t(`users:areas.${area}.name`)}
            required
            data={[
              { value: 'none', label: t('users:sets.nothing') },
              { value: 'read', label: t(`users:areas.${area}.read`) },
              { value: 'write', label: t(`users:areas.${area}.write`) },
            ]}
          />
        ))}
      </SimpleGrid>
    </FormModal>
  );
}
