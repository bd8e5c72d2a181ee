import type { Dealer } from '~/api';
import type { Texts } from '~/shared/lib/texts';

/** The report's fixed title (specification, point 2). */
const TITLE = 'Dealer List Report';
const PAGE_WIDTH_MM = 210;
/** 700 px of 1/96 inch. */
const CONTENT_WIDTH_MM = (700 / 96) * 25.4;
const TOP_MM = 18;

/** The dealers on A4 portrait, the header repeated on each page. Loads its library when it is first asked for. */
export async function dealerReport(dealers: Dealer[], t: Texts, printed: string): Promise<Blob> {
  const [{ jsPDF }, { default: autoTable }] = await Promise.all([import('jspdf'), import('jspdf-autotable')]);
  const side = (PAGE_WIDTH_MM - CONTENT_WIDTH_MM) / 2;
  const paper = new jsPDF({ format: 'a4', orientation: 'portrait', unit: 'mm' });
  paper.setProperties({ title: TITLE, creator: 'Caudal' });
  autoTable(paper, {
    margin: { left: side, right: side, top: TOP_MM + 6, bottom: 16 },
    head: [
      [
        t('entities:party.name'),
        t('entities:party.phone'),
        t('entities:active.label'),
        t('entities:place.municipality'),
        t('entities:place.province'),
      ],
    ],
    body: dealers.map((dealer) => [
      dealer.name,
      dealer.phoneNumber ?? '',
      dealer.isActive ? t('common:yes') : t('common:no'),
      dealer.municipality ?? '',
      dealer.province ?? '',
    ]),
    styles: { fontSize: 9.5, cellPadding: 2 },
    headStyles: { fillColor: [15, 102, 107] },
    didDrawPage: () => {
      paper.setFontSize(14).setTextColor(20, 38, 43).text(TITLE, side, TOP_MM);
      paper.setFontSize(8.5).setTextColor(84, 103, 108);
      paper.text(printed, PAGE_WIDTH_MM - side, TOP_MM, { align: 'right' });
    },
  });
  const pages = paper.getNumberOfPages();
  for (let page = 1; page <= pages; page++) {
    paper.setPage(page).setFontSize(8.5).setTextColor(84, 103, 108);
    paper.text(`${page} / ${pages}`, PAGE_WIDTH_MM - side, 287, { align: 'right' });
  }
  return paper.output('blob');
}
