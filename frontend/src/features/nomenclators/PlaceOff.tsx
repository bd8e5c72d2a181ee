import { DEALER_TYPE, type Province, useListDealersQuery, useSummarizeRemittancesQuery } from '~/api';
import { STATUS } from '~/entities/remittances/status';
import { useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';

interface PlaceOffProps {
  place: Pick<Province, 'id' | 'name'>;
  kind: 'province' | 'municipality';
  change: (key: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks before a province or a municipality is switched off: what ends, and what goes on. */
export function PlaceOff({ place, kind, change, onClose }: PlaceOffProps) {
  const t = useTexts();
  const { currentData: remittances } = useSummarizeRemittancesQuery(
    kind === 'province' ? { provinceId: place.id } : { municipalityId: place.id },
  );
  // A dealer distributes in a province: one municipality less leaves him the others.
  const { currentData: dealers } = useListDealersQuery(
    { provinceId: place.id, type: DEALER_TYPE.dealer, isActive: true, recordsPerPage: 1 },
    { skip: kind === 'municipality' },
  );
  const count = (status: number) =>
    remittances ? String(remittances.statuses.find((row) => row.status === status)?.remittances ?? 0) : '…';
  return (
    <ConfirmAct
      title={t('nomenclators:place.offTitle', { name: place.name })}
      message={t(`nomenclators:place.offMessage.${kind}`, { name: place.name })}
      facts={[
        { label: t(`entities:place.${kind}`), value: place.name },
        { label: t('nomenclators:place.offPending'), value: count(STATUS.pending) },
        { label: t('nomenclators:place.offShipping'), value: count(STATUS.shipping) },
        ...(kind === 'province'
          ? [
              {
                label: t('nomenclators:place.offDealers'),
                value: dealers && 'totalRecords' in dealers ? String(dealers.totalRecords) : '…',
              },
            ]
          : []),
      ]}
      confirmLabel={t('nomenclators:place.off')}
      danger
      act={change}
      done={t('nomenclators:place.disabled')}
      onClose={onClose}
    />
  );
}
