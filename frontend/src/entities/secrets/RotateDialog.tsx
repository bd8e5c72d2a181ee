import { Text } from '@mantine/core';
import { newKey, underKey } from '~/api';
import { chosen } from '~/entities/limits';
import { z } from '~/shared/lib/zod';
import { type Fact, Facts } from '~/shared/ui/Facts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { SelectField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';

/** Hours for which the earlier secret stays valid, as choices. */
const HOURS = ['0', '24', '168', '720'] as const;

const schema = z.object({ overlapHours: chosen });
type Values = z.input<typeof schema>;

interface RotateDialogProps {
  title: string;
  message: string;
  /** Label of the choice of hours. */
  overlap: string;
  hours: (hours: (typeof HOURS)[number]) => string;
  action: string;
  facts: Fact[];
  rotate: (body: { overlapHours: number }) => Promise<void>;
  onClose: () => void;
}

/** Replaces a secret; the earlier one stays valid for the chosen hours. */
export function RotateDialog({
  title,
  message,
  overlap,
  hours,
  action,
  facts,
  rotate,
  onClose,
}: RotateDialogProps) {
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { overlapHours: '24' },
    newKey,
    send: ({ overlapHours }, key) => rotate(underKey({ overlapHours: Number(overlapHours) }, key)),
  });
  return (
    <FormModal title={title} shell={shell} onClose={onClose} size="md" saveLabel={action}>
      <Facts facts={facts} />
      <Text size="sm">{message}</Text>
      <SelectField<Values>
        name="overlapHours"
        label={overlap}
        required
        data={HOURS.map((value) => ({ value, label: hours(value) }))}
        data-autofocus
      />
    </FormModal>
  );
}
