import { second } from '@hearth/clock';
import { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import type { Host } from '@hearth/runtime';
import { createBatches } from './actions/batches.ts';
import { createBook } from './actions/book.ts';
import { createMeetingMachine } from './actions/change-meeting.ts';
import { createOfferMachine } from './actions/change-offer.ts';
import { createMeetingSigning } from './actions/sign-meeting.ts';
import { onHandsChanged } from './consumers/on-hands-changed.ts';
import { onSidesGone } from './consumers/on-sides-gone.ts';
import { type Context, peersOf } from './context.ts';
import { advanceDue } from './jobs/advance-due.ts';
import { sendUnsent } from './jobs/send-unsent.ts';

/** Times to meet: offers of times, and the meetings that are booked from them. */
export async function startMeetings(host: Host): Promise<void> {
  const parts = { ...host, peers: peersOf(host), batches: createBatches(host) };
  const offers = createOfferMachine(host);
  const context: Context = {
    ...parts,
    book: createBook(host),
    offers,
    meetings: createMeetingMachine(host, { offers }),
    signing: createMeetingSigning(parts),
    idempotency: host.idempotency(),
  };
  await host.serveRpcs(MeetingsService, import.meta.url, context);
  await host.serveRpcs(SendSourceService, import.meta.url, context);
  host.consume(onSidesGone(context));
  host.consume(onHandsChanged(context));
  host.every('advance-offers', second, () => advanceDue(context));
  host.every('send-offers', 5 * second, () => sendUnsent(context));
  host.every('sign-meetings', second, () => context.signing.due());
}
