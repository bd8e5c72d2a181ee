import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconInfoCircle, IconScale } from '@tabler/icons-react';
import { useState } from 'react';
import {
  may,
  type ScreeningCandidateView,
  type ScreeningCase,
  type ScreeningCaseDetail,
  useGetScreeningCaseQuery,
  useProfile,
} from '~/api';
import { DocumentPictures } from '~/entities/customers/DocumentPictures';
import { ReviewFiles } from '~/entities/files/ReviewFiles';
import { formatDateTime } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { Dialog } from '~/shared/ui/Dialog';
import { Facts } from '~/shared/ui/Facts';
import { Loaded } from '~/shared/ui/Loaded';
import { DecideModal } from './DecideModal';
import { Proposed } from './Proposed';
import { ReleaseModal } from './ReleaseModal';

/** A customer beside the listed people that the customer is like. */
export function CaseDialog({ of, onClose }: { of: ScreeningCase; onClose: () => void }) {
  const t = useTexts();
  const phone = useMediaQuery(PHONE);
  const { role } = useProfile();
  const query = useGetScreeningCaseQuery({ id: of.customer.id }, { refetchOnMountOrArgChange: true });
  const [deciding, setDeciding] = useState<ScreeningCandidateView | null>(null);
  const [releasing, setReleasing] = useState(false);
  const name = of.customer.name ?? t('entities:erased');
  return (
    <>
      <Dialog
        opened
        onClose={onClose}
        title={t('screening:case.title', { name })}
        size="xl"
        fullScreen={phone}
      >
        <Loaded query={query}>
          {(found) => (
            <Stack>
              <div>
                <DocumentPictures
                  customer={{ id: of.customer.id, fullName: name, personalIdentificationNumber: null }}
                  fixed
                />
              </div>
              {found.status === 'cleared' &&
                found.openHolds > 0 &&
                may.releaseScreeningHolds.includes(role) && (
                  <Alert color="yellow" variant="light" icon={<IconInfoCircle size={18} aria-hidden />}>
                    <Text size="sm">{t('screening:release.message', { count: found.openHolds })}</Text>
                    <Proposed reviews={found.proposedReleases} />
                    <Button variant="default" mt="sm" mih={44} onClick={() => setReleasing(true)}>
                      {t('screening:release.action')}
                    </Button>
                  </Alert>
                )}
              {found.candidates.map((candidate) => (
                <Pair
                  key={`${candidate.list} ${candidate.entry}`}
                  found={found}
                  candidate={candidate}
                  onDecide={() => setDeciding(candidate)}
                />
              ))}
            </Stack>
          )}
        </Loaded>
      </Dialog>
      {releasing && (
        <ReleaseModal
          customer={of.customer.id}
          name={name}
          count={query.currentData?.openHolds ?? 0}
          onClose={() => setReleasing(false)}
        />
      )}
      {deciding && (
        <DecideModal
          customer={of.customer.id}
          name={name}
          candidate={deciding}
          onClose={() => setDeciding(null)}
        />
      )}
    </>
  );
}

interface PairProps {
  found: ScreeningCaseDetail;
  candidate: ScreeningCandidateView;
  onDecide: () => void;
}

/** The customer and one entry, side by side; why they are alike, and the decision. */
function Pair({ found, candidate, onDecide }: PairProps) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const { person } = found;
  const { listed, decision } = candidate;
  const names = person && [person.name, person.lastName, person.secondSurname];
  const representative = person && [
    person.alternativeName,
    person.alternativeLastName,
    person.alternativePersonalIdentificationNumber,
  ];
  const joined = (parts: (string | null | undefined)[] | null | undefined) =>
    parts?.filter(Boolean).join(' ') || '–';
  const several = (parts: string[] | undefined) => parts?.join(' · ') || '–';
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Text fw={600}>
          {candidate.name} · {t('screening:list.percent', { value: formatCount(candidate.score, locale) })}
        </Text>
        {decision?.outcome !== 'different' && (
          <Button
            variant="light"
            size="compact-md"
            style={{ flexShrink: 0 }}
            leftSection={<IconScale size={16} aria-hidden />}
            aria-label={`${t('screening:case.decide')} ${candidate.name}`}
            onClick={onDecide}
          >
            {t('screening:case.decide')}
          </Button>
        )}
      </Group>
      <Proposed reviews={candidate.proposed ? [candidate.proposed] : []} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <div>
          <Title order={3} size="h6">
            {t('screening:case.customer')}
          </Title>
          <Facts
            facts={[
              { label: t('screening:case.name'), value: joined(names) },
              {
                label: t('screening:case.document'),
                value:
                  person?.personalIdentificationNumber == null
                    ? '–'
                    : joined([person.personalIdentificationNumber, person.personalIdentificationCountry]),
              },
              ...(person?.alias ? [{ label: t('screening:case.alias'), value: person.alias }] : []),
              ...(representative?.some(Boolean)
                ? [{ label: t('screening:case.representative'), value: joined(representative) }]
                : []),
            ]}
          />
        </div>
        <div>
          <Title order={3} size="h6">
            {t('screening:case.listed', { list: candidate.list })}
          </Title>
          {listed ? (
            <Facts
              facts={[
                { label: t('screening:case.name'), value: several(listed.names) },
                { label: t('screening:case.document'), value: several(listed.documents) },
                { label: t('screening:case.born'), value: several(listed.born) },
                { label: t('screening:case.countries'), value: several(listed.countries) },
                { label: t('screening:case.programs'), value: several(listed.programs) },
              ]}
            />
          ) : (
            <Text size="sm">{t('screening:case.gone')}</Text>
          )}
        </div>
      </SimpleGrid>
      {listed && !decision && (
        <Text size="sm" mt="xs">
          {candidate.explanation
            ? `${t('screening:case.explanation')}: ${candidate.explanation}`
            : t('screening:case.apart')}
        </Text>
      )}
      {decision && (
        <Text size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
          {t('screening:case.decided', {
            outcome: t(
              decision.outcome === 'same' ? 'screening:statuses.confirmed' : 'screening:statuses.cleared',
            ),
            reason: decision.reason,
            who: decision.by?.name ?? t('entities:erased'),
            at: formatDateTime(decision.at, locale, timeZone),
          })}
        </Text>
      )}
      {decision && <ReviewFiles files={decision.files} />}
    </Paper>
  );
}
