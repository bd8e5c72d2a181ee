import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type Customer, useProfile } from '~/api';
import { type Sale, SaleForm } from './SaleForm';
import { Sold } from './Sold';
import { dropSale, type SaleDraft, type SalePlace, saleOwner, takeSale } from './saleDraft';

/** Sells one remittance after the other. */
export default function NewRemittancePage() {
  const [sale, setSale] = useState<Sale | null>(null);
  const [sender, setSender] = useState<Customer | null>(null);

  // What was begun before the session ended or the page went, unless another open tab has it.
  const owner = saleOwner(useProfile().id);
  const [place, setPlace] = useState<SalePlace | null>(null);
  const [draft, setDraft] = useState<SaleDraft | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let gone = false;
    const taking = takeSale(owner);
    void taking.then((taken) => {
      if (gone) return;
      setPlace(taken.place);
      setDraft(taken.draft);
    });
    return () => {
      gone = true;
      void taking.then((taken) => taken.place.release());
    };
  }, [owner]);

  if (!place) return <Skeleton height={320} />;
  const startAnew = () => {
    setDraft(null);
    setRound((before) => before + 1);
    void dropSale(place);
  };
  if (!sale)
    return (
      <SaleForm
        key={round}
        firstSender={sender}
        place={place}
        draft={draft}
        onDiscard={startAnew}
        onSold={(made) => {
          setDraft(null);
          setSale(made);
        }}
      />
    );
  return (
    <Sold
      sold={sale.sold}
      recovered={sale.recovered}
      senderName={sale.sender.fullName ?? ''}
      recipientName={sale.recipient.fullName ?? ''}
      ticket={{
        code: sale.sold.code,
        seller: sale.seller.name,
        sellerPhone: sale.seller.phone,
        sender: sale.sender.fullName ?? '',
        recipient: sale.recipient.fullName ?? '',
        recipientPhone: sale.recipient.phoneNumber,
        method: sale.method,
        payout: sale.sold.quote.payout,
        currencyTo: sale.sold.quote.currencyTo,
        amount: sale.sold.quote.amount,
        fees: sale.sold.quote.totalFee,
        total: sale.sold.quote.totalToPay,
      }}
      onAgain={(same) => {
        setSender(same ? sale.sender : null);
        setSale(null);
      }}
    />
  );
}
