import { Group, Stack } from '@mantine/core';
import { type Agency, useProfile } from '~/api';
import { AuditLink } from '~/entities/ledger/audit';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { SellerTerms } from './SellerTerms';
import type { SellerKind } from './termsForm';

interface SellerDetailProps {
  kind: SellerKind;
  seller: Agency & { agencyId?: string | null };
  /** Whether it has terms of its own, and the reader may set them here. */
  editable: boolean;
}

/** What a list's row of an agency or agent opens to: where it is, its terms and balances. */
export function SellerDetail({ kind, seller, editable }: SellerDetailProps) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const address = [
    seller.addressLine1,
    seller.addressLine2,
    seller.addressLine3,
    seller.city,
    seller.province,
    seller.zip,
    seller.country,
  ];
  return (
    <Stack gap="md">
      <Facts
        facts={[
          { label: t('entities:person.address'), value: address.filter(Boolean).join(', ') || '–' },
          { label: t('common:times.created'), value: formatDateTime(seller.created, locale, timeZone) },
          { label: t('common:times.updated'), value: formatDateTime(seller.updated, locale, timeZone) },
        ]}
      />
      <Group>
        <AuditLink kind="party" id={seller.id} />
      </Group>
      <SellerTerms kind={kind} seller={seller} editable={editable} />
    </Stack>
  );
}
