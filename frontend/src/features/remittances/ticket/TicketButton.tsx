import { Button, Kbd, SegmentedControl } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useProfile } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { useRemembered } from '~/shared/lib/useRemembered';
import { printTicket, TICKET_WIDTHS, type TicketWidth } from './printTicket';
import { Ticket, type TicketFacts } from './Ticket';

const isWidth = (value: unknown): value is TicketWidth =>
  (TICKET_WIDTHS as readonly unknown[]).includes(value);

/** Prints a sale on the thermal printer, by the button or by P; the roll's width is remembered. */
export function TicketButton({ facts }: { facts: TicketFacts }) {
  const t = useTexts();
  const { timeZone } = useProfile();
  const [width, setWidth] = useRemembered<TicketWidth>('caudal.ticket.width', '80', isWidth);
  const [printing, setPrinting] = useState(false);
  const print = () => {
    // In the page only while it is printed, and there before the printer's dialog takes its picture of it.
    flushSync(() => setPrinting(true));
    printTicket(width, () => setPrinting(false));
  };
  // Also from the choice of the roll's width; the page has no field to type into.
  useHotkeys([['P', print]], []);
  return (
    <>
      <Button
        variant="default"
        mih={44}
        leftSection={<IconPrinter size={17} aria-hidden />}
        rightSection={<Kbd aria-hidden>P</Kbd>}
        aria-keyshortcuts="P"
        onClick={print}
      >
        {t('remittances:ticket.print')}
      </Button>
      <SegmentedControl
        aria-label={t('remittances:ticket.width')}
        value={width}
        onChange={(value) => isWidth(value) && setWidth(value)}
        data={TICKET_WIDTHS.map((value) => ({ value, label: `${value} mm` }))}
      />
      {printing && <Ticket facts={facts} zone={timeZone} />}
    </>
  );
}
