import type { ClosureFigures, ClosurePreview } from '~/api';
import { FigureTable } from '~/entities/money/FigureTable';
import { formatCount, isZero } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { type Fact, Facts } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';
import classes from './Closures.module.css';

interface FiguresProps {
  figures: ClosureFigures;
  /** What only a preview knows. */
  preview?: ClosurePreview;
}

/** A closure's figures: each group from its opening to its closing, then commission and debits. */
export function Figures({ figures, preview }: FiguresProps) {
  const t = useTexts();
  const locale = useLocale();
  const usd = (label: string, value: string, strong = false): Fact => ({
    label,
    value: <Money value={value} currency="USD" signed />,
    strong,
  });
  /** A figure that most periods have none of. */
  const some = (label: string, value: string): Fact[] => (isZero(value) ? [] : [usd(label, value)]);
  return (
    <div className={classes.figures}>
      <FigureTable
        label={t('accounting:closures.groups')}
        corner={t('accounting:closures.group')}
        columns={[
          { key: 'opening', label: t('accounting:closures.opening') },
          { key: 'assigned', label: t('accounting:closures.assigned') },
          { key: 'given', label: t('accounting:closures.given') },
          { key: 'sold', label: t('accounting:closures.sold') },
          { key: 'returned', label: t('accounting:closures.returned') },
          { key: 'closing', label: t('accounting:closures.closing') },
          { key: 'remittances', label: t('accounting:closures.remittances') },
          { key: 'amount', label: t('accounting:closures.amount') },
        ]}
        rows={figures.groups.map((group) => ({
          key: group.paymentGroupId,
          label: (
            <>
              {group.groupName} <span className={classes.unit}>{group.currency}</span>
            </>
          ),
          cells: [
            <Money key="opening" value={group.opening} signed />,
            <Money key="assigned" value={group.assigned} signed />,
            <Money key="given" value={group.given} signed />,
            <Money key="sold" value={group.sold} signed />,
            <Money key="returned" value={group.returned} signed />,
            <strong key="closing">
              <Money value={group.closing} signed />
            </strong>,
            formatCount(group.remittances, locale),
            <Money key="amount" value={group.amount} signed />,
          ],
        }))}
      />
      <div className={classes.columns}>
        <Facts
          figures
          facts={[
            {
              label: t('accounting:closures.remittances'),
              value: formatCount(figures.remittances, locale),
            },
            usd(t('accounting:closures.amount'), figures.amount),
            usd(t('accounting:closures.managerCommission'), figures.managerCommission),
            usd(t('accounting:closures.agencyCommission'), figures.agencyCommission),
            usd(t('accounting:closures.agentCommission'), figures.agentCommission),
            usd(
              preview ? t('accounting:closures.toBill') : t('accounting:closures.billed'),
              figures.commissionAccrued,
              true,
            ),
            ...some(t('accounting:closures.agencyFee'), preview?.agencyFeeAccrued ?? '0'),
          ]}
        />
        <Facts
          figures
          facts={[
            ...(preview ? [usd(t('accounting:closures.debitsOpening'), preview.debitsOpening)] : []),
            usd(t('accounting:closures.debitsOpened'), figures.debitsOpened),
            ...some(t('accounting:closures.debitsBilled'), preview?.debitsBilled ?? '0'),
            usd(t('accounting:closures.debitsPaid'), figures.debitsPaid),
            usd(t('accounting:closures.debitsOutstanding'), figures.debitsOutstanding, true),
          ]}
        />
      </div>
    </div>
  );
}
