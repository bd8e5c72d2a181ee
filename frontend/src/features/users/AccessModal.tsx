import {
  newKey,
  type OfficeAccessInput,
  type User,
  underKey,
  useProfile,
  useSetOfficeAccessMutation,
} from '~/api';
import { chosen } from '~/entities/limits';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';
import { AccessFields } from './AccessFields';
import { EVERYTHING, endOf, KEEP, NEVER, useSetOptions } from './office';

const schema = z.object({ permissionSet: chosen, ends: chosen });

/** Narrows or widens what a member of the office may do. */
export function AccessModal({ user, onClose }: { user: User; onClose: () => void }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const toast = useToast();
  const sets = useSetOptions();
  const [set] = useSetOfficeAccessMutation();
  const edits = useChanges(
    () => ({ permissionSet: user.permissionSet, accessExpiresAt: user.accessExpiresAt }),
    (field, now) => {
      if (field === 'permissionSet')
        return sets.find((own) => own.value === (now ?? EVERYTHING))?.label ?? null;
      return typeof now === 'string' ? formatDateTime(now, locale, timeZone) : t('users:access.never');
    },
  );
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: {
      permissionSet: user.permissionSet ?? EVERYTHING,
      ends: user.accessExpiresAt ? KEEP : NEVER,
    },
    newKey,
    fieldNames: { accessExpiresAt: 'ends' },
    send: async (values, key) => {
      const body = {
        permissionSet: values.permissionSet === EVERYTHING ? null : values.permissionSet,
        accessExpiresAt: endOf(values.ends, user.accessExpiresAt),
      };
      await edits.send(edits.changed(body), (changes) => {
        const officeAccessInput = underKey({ ...changes } as OfficeAccessInput, key);
        return set({ id: user.id, officeAccessInput }).unwrap();
      });
      toast('good', t('users:access.saved'));
      onClose();
    },
  });
  return (
    <FormModal title={t('users:access.title', { name: user.name })} shell={shell} onClose={onClose} size="md">
      <AccessFields ends={user.accessExpiresAt} />
    </FormModal>
  );
}
