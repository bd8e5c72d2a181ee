import {
  Alert,
  Button,
  Group,
  Modal,
  ScrollArea,
  Stack,
  Switch,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { newKey, type TodaysRate, underKey, useChangeRatesMutation, useProfile } from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { formatDecimal } from '~/shared/lib/decimal';
import { toMoment } from '~/shared/lib/moments';
import { asProblem, type Problem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { DialogStep } from '~/shared/ui/form/DialogStep';
import { problemText } from '~/shared/ui/problemText';
import { useToast } from '~/shared/ui/toasts/toasts';
import { percentBetween } from './adjust';
import { rateKey, wanted } from './rows';
import { useOwnerName } from './useOwnerName';

export interface Proposed {
  rate: TodaysRate;
  to: string;
}

interface ReviewRatesProps {
  proposed: Proposed[];
  onDone: () => void;
  onClose: () => void;
}

/** What changes for whom, and when: to be looked at before it is confirmed. */
export function ReviewRates({ proposed, onDone, onClose }: ReviewRatesProps) {
  const t = useTexts();
  const locale = useLocale();
  const toast = useToast();
  const phone = useMediaQuery(PHONE);
  const ownerName = useOwnerName();
  const { timeZone } = useProfile();
  const [change, { isLoading }] = useChangeRatesMutation();
  const [later, setLater] = useState(false);
  const [wall, setWall] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const key = useRef<string | null>(null);

  const at = later && wall ? toMoment(wall, timeZone) : undefined;
  const confirm = async () => {
    setProblem(null);
    key.current ??= newKey();
    try {
      const rates = proposed.map(({ rate, to }) => wanted(rate, to));
      await change(underKey({ rateChangeInput: { rates, at } }, key.current)).unwrap();
      toast(
        'good',
        at
          ? t('nomenclators:rates.scheduled', { time: formatDateTime(at, locale, timeZone) })
          : t('nomenclators:rates.done'),
      );
      onDone();
    } catch (thrown) {
      const refused = asProblem(thrown);
      // What was refused was not done: another try is another request.
      if (refused.status >= 400 && refused.status < 500) key.current = null;
      setProblem(refused);
    }
  };

  return (
    <Modal
      opened
      onClose={isLoading ? () => undefined : onClose}
      title={t('nomenclators:rates.review', { count: proposed.length })}
      size="xl"
      fullScreen={phone}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <DialogStep onBack={onClose} />
      <Stack gap="md">
        <ScrollArea.Autosize mah="45dvh" viewportProps={{ tabIndex: 0 }}>
          <Table aria-label={t('nomenclators:rates.review', { count: proposed.length })}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('nomenclators:rates.whose')}</Table.Th>
                <Table.Th ta="right">{t('nomenclators:rates.now')}</Table.Th>
                <Table.Th ta="right">{t('nomenclators:rates.new')}</Table.Th>
                <Table.Th ta="right">%</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {proposed.map(({ rate, to }) => (
                <Table.Tr key={rateKey(rate)}>
                  <Table.Td>
                    {ownerName(rate)}
                    <Text size="xs" c="dimmed">
                      {[rate.paymentGroupName, rate.currency].filter(Boolean).join(' · ')}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right">{formatDecimal(rate.rate, locale)}</Table.Td>
                  <Table.Td ta="right" fw={600}>
                    {formatDecimal(to, locale)}
                  </Table.Td>
                  <Table.Td ta="right">{formatDecimal(percentBetween(rate.rate, to) ?? '', locale)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
        <Switch
          label={t('nomenclators:rates.later')}
          checked={later}
          onChange={(event) => setLater(event.currentTarget.checked)}
        />
        {later && (
          <TextInput
            type="datetime-local"
            label={t('nomenclators:rates.at', { zone: timeZone })}
            value={wall}
            onChange={(event) => setWall(event.currentTarget.value)}
          />
        )}
        <Text size="sm" c="dimmed">
          {t('nomenclators:rates.soldStays')}
        </Text>
        {problem && (
          <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} role="alert">
            {problemText(t, problem)}
            {problem.fields.map((field) => (
              <div key={field.field}>{field.detail}</div>
            ))}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={isLoading}>
            {t('common:actions.back')}
          </Button>
          <Button loading={isLoading} disabled={later && !at} onClick={() => void confirm()}>
            {later ? t('nomenclators:rates.schedule') : t('nomenclators:rates.confirm')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
