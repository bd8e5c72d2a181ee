import { SimpleGrid } from '@mantine/core';
import { useNavigate, useParams } from 'react-router';
import {
  newKey,
  roleOf,
  type User,
  underKey,
  useCreateUserMutation,
  useGetUserQuery,
  useProfile,
  useUpdateUserMutation,
} from '~/api';
import { AuditLink } from '~/entities/ledger/audit';
import { chosen, email, optionalText, orNull, requiredText } from '~/entities/limits';
import { NewPasswordField, newPassword, otherPassword } from '~/entities/parties/PasswordFields';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { Facts } from '~/shared/ui/Facts';
import { FormPage } from '~/shared/ui/form/FormPage';
import { SwitchField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Loaded } from '~/shared/ui/Loaded';
import { PageHeader } from '~/shared/ui/PageHeader';
import { useToast } from '~/shared/ui/toasts/toasts';
import { AccessFields } from './AccessFields';
import { EVERYTHING, endOf, NEVER } from './office';

const schema = z.object({
  name: requiredText('partyName'),
  email,
  phone: optionalText('line'),
  password: otherPassword,
  isActive: z.boolean(),
  permissionSet: chosen,
  ends: chosen,
});
const newSchema = schema.extend({ password: newPassword });
type Values = z.input<typeof schema>;

function valuesOf(user: User | null): Values {
  return {
    name: user?.name ?? '',
    email: user?.email ?? '',
    phone: user?.phone ?? '',
    password: '',
    isActive: user?.isActive ?? true,
    permissionSet: EVERYTHING,
    ends: NEVER,
  };
}

/** What a request carries of the form; no password where none was typed. */
function bodyOf({ password, phone, permissionSet: _set, ends: _ends, ...values }: Values) {
  return { ...values, phone: orNull(phone), ...(password && { password }) };
}

function UserForm({ user }: { user: User | null }) {
  const t = useTexts();
  const toast = useToast();
  const navigate = useNavigate();
  const { id: own } = useProfile();
  const [create] = useCreateUserMutation();
  const [update] = useUpdateUserMutation();
  const edits = useChanges(() => bodyOf(valuesOf(user)));
  const shell = useFormShell({
    resolver: zodForm(user ? schema : newSchema),
    defaults: valuesOf(user),
    newKey,
    onSent: () => void navigate('/users/list/'),
    send: async (values, key) => {
      const body = bodyOf(values);
      if (user) {
        await edits.send(edits.changed(body), (changes) =>
          update({ id: user.id, userChangeInput: underKey({ ...changes }, key) }).unwrap(),
        );
      } else {
        const access = {
          ...(values.permissionSet !== EVERYTHING && { permissionSet: values.permissionSet }),
          ...(values.ends !== NEVER && { accessExpiresAt: endOf(values.ends, null) }),
        };
        const whole = { ...body, ...access, password: values.password };
        await create({ userInput: underKey(whole, key) }).unwrap();
      }
      toast('good', user ? t('users:done.edited') : t('users:done.added'));
    },
  });
  return (
    <FormPage label={t('common:menu.userForm')} shell={shell} back="/users/list/">
      <Facts
        facts={[
          {
            label: t('users:list.role'),
            value: t(`common:roles.${user ? roleOf(user) : 'manager'}`),
          },
          ...(user?.ownerName ? [{ label: t('users:list.owner'), value: user.ownerName }] : []),
        ]}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
        <TextField<Values> name="name" label={t('entities:party.name')} required autoComplete="off" />
        <TextField<Values> name="phone" label={t('entities:party.phone')} type="tel" autoComplete="off" />
        {/* One's own are changed in the profile, with the password in force. */}
        {user?.id !== own && (
          <>
            <TextField<Values>
              name="email"
              label={t('entities:party.email')}
              type="email"
              required
              autoComplete="off"
            />
            <NewPasswordField<Values>
              name="password"
              label={t('entities:party.password')}
              description={user ? t('entities:party.passwordStays') : undefined}
              required={!user}
            />
          </>
        )}
        {!user && <AccessFields ends={null} />}
        <SwitchField<Values> name="isActive" label={t('entities:active.label')} />
      </SimpleGrid>
    </FormPage>
  );
}

/** A new manager, or with an id in the address a present login. */
export default function UserFormPage() {
  const t = useTexts();
  const { id } = useParams();
  const query = useGetUserQuery({ id: id ?? '' }, { skip: !id });
  return (
    <>
      <PageHeader title={id ? (query.currentData?.name ?? t('common:menu.userForm')) : t('users:list.new')}>
        {id && <AuditLink kind="party" id={id} />}
      </PageHeader>
      {id ? (
        <Loaded query={query}>{(user) => <UserForm key={user.id} user={user} />}</Loaded>
      ) : (
        <UserForm key="new" user={null} />
      )}
    </>
  );
}
