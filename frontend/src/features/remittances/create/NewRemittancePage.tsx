import { useState } from 'react';
import type { Customer, RemittanceCreated } from '~/api';
import { SaleForm } from './SaleForm';
import { Sold } from './Sold';

interface Sale {
  sold: RemittanceCreated;
  sender: Customer;
  recipient: Customer;
}

/** Sells one remittance after the other. */
export default function NewRemittancePage() {
  const [sale, setSale] = useState<Sale | null>(null);
  const [sender, setSender] = useState<Customer | null>(null);

  if (!sale)
    return (
      <SaleForm
        firstSender={sender}
        onSold={(sold, from, to) => setSale({ sold, sender: from, recipient: to })}
      />
    );
  return (
    <Sold
      sold={sale.sold}
      senderName={sale.sender.fullName ?? ''}
      recipientName={sale.recipient.fullName ?? ''}
      onAgain={(same) => {
        setSender(same ? sale.sender : null);
        setSale(null);
      }}
    />
  );
}
