import {
  type Agency,
  type AgencyChangeInput,
  newKey,
  underKey,
  useListAgencyBalanceAssignmentsQuery,
  useUpdateAgencyMutation,
} from '~/api';
import { offers } from '~/entities/offers';
import { useToCorrect } from '~/entities/parties/ToCorrect';
import { Assignments } from '~/entities/sellers/Assignments';
import { SellerBalances } from '~/entities/sellers/SellerBalances';
import { SellerFields } from '~/entities/sellers/SellerFields';
import { SellerTabs } from '~/entities/sellers/SellerTabs';
import { SellerTerms } from '~/entities/sellers/SellerTerms';
import { sellerBody, sellerSchema, sellerValues } from '~/entities/sellers/sellerForm';
import { useTexts } from '~/shared/lib/texts';
import { FormPage } from '~/shared/ui/form/FormPage';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useListState } from '~/shared/ui/table/useListState';
import { useToast } from '~/shared/ui/toasts/toasts';

const FILTERS = ['tab'] as const;
const DEFAULTS = { sort: '-created' };

function AgencyData({ agency }: { agency: Agency }) {
  const t = useTexts();
  const toast = useToast();
  const [update] = useUpdateAgencyMutation();
  const edits = useChanges(() => sellerBody(sellerValues(agency)));
  const shell = useFormShell({
    resolver: zodForm(sellerSchema),
    defaults: sellerValues(agency),
    newKey,
    stays: true,
    send: async (values, key) => {
      await edits.send(edits.changed(sellerBody(values)), (changes) => {
        const body = { ...changes, id: agency.id } as AgencyChangeInput;
        return update({ agencyChangeInput: underKey(body, key) }).unwrap();
      });
      toast('good', t('agencies:done.edited'));
    },
  });
  useToCorrect(shell, agency.toCorrect);
  return (
    <FormPage label={t('entities:tabs.data')} shell={shell} back="/agencies/list">
      <SellerFields isNew={false} />
    </FormPage>
  );
}

function AgencyHistory({ id }: { id: string }) {
  const list = useListState(FILTERS, DEFAULTS);
  const query = useListAgencyBalanceAssignmentsQuery({
    agencyId: id,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort === 'created' ? 'created' : '-created',
  });
  return <Assignments list={list} query={query} />;
}

/** An agency: data, terms, balances and what was assigned to it. */
export function EditAgency({ agency }: { agency: Agency }) {
  const t = useTexts();
  const list = useListState(FILTERS, DEFAULTS);
  return (
    <SellerTabs
      label={t('agencies:form.tabs', { name: agency.name })}
      list={list}
      data={<AgencyData agency={agency} />}
      terms={<SellerTerms kind="agency" seller={agency} editable={offers(agency, 'setTerms')} />}
      balance={<SellerBalances groups={agency.paymentGroups} />}
      history={<AgencyHistory id={agency.id} />}
    />
  );
}
