/** Widths of the paper that thermal printers take, in millimetres. */
export const TICKET_WIDTHS = ['80', '58'] as const;
export type TicketWidth = (typeof TICKET_WIDTHS)[number];

/** CSS pixels of a millimetre. */
const PX_PER_MM = 96 / 25.4;
/** Fonts on paper may break a line earlier than they were measured. */
const SPARE_MM = 8;

/**
 * Prints the ticket alone, on a page as wide as the roll and as long as its text. The page's size can only be said in a
 * style sheet, which the content security policy lets a script make but not a style element hold.
 */
export function printTicket(width: TicketWidth, printed: () => void): void {
  const root = document.documentElement;
  const ticket = document.querySelector<HTMLElement>('[data-ticket]');
  if (!ticket) return;
  root.dataset.ticketWidth = width;
  root.style.setProperty('--ticket-width', `${width}mm`);
  // Laid out for a moment, out of sight, to know how long the paper must be.
  Object.assign(ticket.style, {
    display: 'flex',
    flexDirection: 'column',
    gap: '1.5mm',
    width: `${width}mm`,
  });
  Object.assign(ticket.style, { position: 'fixed', visibility: 'hidden' });
  const length = Math.ceil(ticket.getBoundingClientRect().height / PX_PER_MM) + SPARE_MM;
  ticket.removeAttribute('style');
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@page { size: ${width}mm ${length}mm; margin: 0 }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const done = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    delete root.dataset.ticketWidth;
    root.style.removeProperty('--ticket-width');
    printed();
  };
  window.addEventListener('afterprint', done, { once: true });
  window.print();
}
