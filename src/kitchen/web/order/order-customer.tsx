import { FailedMails } from '#kitchen/web/order/failed-mails.tsx';
import { ForgetGuest } from '#kitchen/web/order/forget-guest.tsx';
import classes from '#kitchen/web/order/order-details.module.css';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import { Icon } from '#ui/web/office/icon.tsx';
import { TypedText } from '#ui/web/typed-text.tsx';

/** Whose order it is, and where it goes. */
export function OrderCustomer({ order }: { order: Order }) {
  const { address, contact } = order;
  const lines = address ? [address.line1, address.line2, address.city, address.postcode].filter(Boolean) : [];
  return (
    <section>
      <h3>{m.kitchen_board_contact_title()}</h3>
      <p>{contact.name || m.kitchen_history_forgotten()}</p>
      {contact.phone && (
        <p>
          <a className={classes.link} href={`tel:${contact.phone.replaceAll(/[^\d+]/g, '')}`}>
            <Icon name="phone" /> {m.kitchen_board_call({ phone: contact.phone })}
          </a>
        </p>
      )}
      {address && (
        <>
          <address className={classes.address}>
            {lines.map((line) => (
              <span key={line}>{line}</span>
            ))}
          </address>
          {address.instructions && (
            <p className={classes.note}>
              {m.kitchen_board_instructions()} <TypedText text={address.instructions} />
            </p>
          )}
          <p>
            <a className={classes.link} href={mapAddress(lines.join(', '))} target="_blank" rel="noreferrer">
              <Icon name="pin" /> {m.kitchen_board_map()}
            </a>
          </p>
        </>
      )}
      <FailedMails order={order} />
      <ForgetGuest order={order} />
    </section>
  );
}

function mapAddress(address: string): string {
  return `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`;
}
