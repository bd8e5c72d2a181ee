import { useController } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { newKey, underKey, useCreateAgencyMutation } from '~/api';
import { NewTerms } from '~/entities/sellers/NewTerms';
import { emptySeller, newSellerWithTerms, termsBodies } from '~/entities/sellers/newSeller';
import { SellerFields } from '~/entities/sellers/SellerFields';
import { sellerBody } from '~/entities/sellers/sellerForm';
import { useTexts } from '~/shared/lib/texts';
import { FormPage } from '~/shared/ui/form/FormPage';
import { FormTabs } from '~/shared/ui/form/FormTabs';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';

const DATA_FIELDS = Object.keys(emptySeller()).filter((field) => field !== 'terms');

/** Makes an agency, its login and its terms in one go. */
export function NewAgency() {
  const t = useTexts();
  const toast = useToast();
  const navigate = useNavigate();
  const [create] = useCreateAgencyMutation();
  const shell = useFormShell({
    resolver: zodForm(newSellerWithTerms),
    defaults: emptySeller(),
    newKey,
    onSent: () => void navigate('/agencies/list'),
    fieldNames: { paymentGroups: 'terms' },
    send: async ({ terms, ...data }, key) => {
      const body = {
        ...sellerBody(data),
        password: data.password,
        paymentGroups: termsBodies('agency', terms),
      };
      await create({ agencyInput: underKey(body, key) }).unwrap();
      toast('good', t('agencies:done.added'));
    },
  });
  const { field } = useController({ control: shell.form.control, name: 'terms' });
  return (
    <FormPage label={t('common:menu.newAgency')} shell={shell} back="/agencies/list">
      <FormTabs
        label={t('common:menu.newAgency')}
        tabs={[
          {
            value: 'data',
            label: t('entities:tabs.data'),
            fields: DATA_FIELDS,
            content: <SellerFields isNew />,
          },
          {
            value: 'terms',
            label: t('entities:tabs.terms'),
            fields: ['terms'],
            content: <NewTerms kind="agency" agencyId={null} value={field.value} onChange={field.onChange} />,
          },
        ]}
      />
    </FormPage>
  );
}
