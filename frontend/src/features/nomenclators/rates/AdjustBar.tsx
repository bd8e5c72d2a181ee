import { Button, Group, Paper, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { RATE } from '~/shared/lib/decimal';
import { useTexts } from '~/shared/lib/texts';
import { MoneyInput } from '~/shared/ui/MoneyInput';
import { ADJUSTMENTS, type Adjustment } from './adjust';

interface AdjustBarProps {
  /** How many rates the filters leave: those that it changes. */
  count: number;
  onApply: (by: Adjustment, value: string) => void;
}

/** Changes all rates that the filters leave by a percentage, by an amount, or to one value. */
export function AdjustBar({ count, onApply }: AdjustBarProps) {
  const t = useTexts();
  const [by, setBy] = useState<Adjustment>('percent');
  const [value, setValue] = useState('');
  return (
    <Paper withBorder p="sm" mb="sm" component="section" aria-label={t('nomenclators:rates.adjust')}>
      <Group gap="sm" align="flex-end">
        <div>
          <Text size="sm" fw={500} mb={4}>
            {t('nomenclators:rates.adjust')}
          </Text>
          <SegmentedControl
            aria-label={t('nomenclators:rates.adjust')}
            value={by}
            onChange={(next) => setBy(ADJUSTMENTS.find((one) => one === next) ?? 'percent')}
            data={ADJUSTMENTS.map((one) => ({ value: one, label: t(`nomenclators:rates.by.${one}`) }))}
          />
        </div>
        <MoneyInput
          label={t(`nomenclators:rates.value.${by}`)}
          value={value}
          onChange={setValue}
          limits={RATE}
          currency={by === 'percent' ? '%' : undefined}
          w={140}
        />
        <Button variant="default" disabled={value === '' || count === 0} onClick={() => onApply(by, value)}>
          {t('nomenclators:rates.applyTo', { count })}
        </Button>
      </Group>
    </Paper>
  );
}
