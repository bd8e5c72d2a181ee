import { newKey, type User, underKey, useSetOfficeAccessMutation } from '~/api';
import { chosen } from '~/entities/limits';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';
import { AccessFields } from './AccessFields';
import { EVERYTHING, endOf, KEEP, NEVER } from './office';

const schema = z.object({ permissionSet: chosen, ends: chosen });

/** Narrows or widens what a member of the office may do. */
export function AccessModal({ user, onClose }: { user: User; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const [set] = useSetOfficeAccessMutation();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: {
      permissionSet: user.permissionSet ?? EVERYTHING,
      ends: user.accessExpiresAt ? KEEP : NEVER,
    },
    newKey,
    send: async (values, key) => {
      const body = {
        permissionSet: values.permissionSet === EVERYTHING ? null : values.permissionSet,
        accessExpiresAt: endOf(values.ends, user.accessExpiresAt),
      };
      await set({ id: user.id, officeAccessInput: underKey(body, key) }).unwrap();
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
