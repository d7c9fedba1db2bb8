import { second } from '@hearth/clock';
import type { HomeThings } from '@hearth/home-acts';
import { createOtherHomes } from '@hearth/people';
import { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import type { Host } from '@hearth/runtime';
import { eachDue, nextDueOf } from '../shared/actions/each-due.ts';
import { createBatches } from './actions/batches.ts';
import { createBook } from './actions/book.ts';
import { createMeetingMachine } from './actions/change-meeting.ts';
import { createOfferMachine } from './actions/change-offer.ts';
import { advanceNow } from './actions/find-visible.ts';
import { createHomeMeetings } from './actions/home-meetings.ts';
import { createHomeOffers } from './actions/home-offers.ts';
import { createMeetingSigning } from './actions/sign-meeting.ts';
import { onHandsChanged } from './consumers/on-hands-changed.ts';
import { onMessagesUndelivered } from './consumers/on-messages-undelivered.ts';
import { onSidesGone } from './consumers/on-sides-gone.ts';
import { type Context, peersOf } from './context.ts';
import { nextUnfollowed } from './db/unfollowed.ts';
import { followOldOffers } from './jobs/follow-old-offers.ts';
import { sendingDue, sendUnsent } from './jobs/send-unsent.ts';

/** Times to meet: offers, and the meetings booked from them. */
export async function startMeetings(host: Host, things: HomeThings): Promise<void> {
  const parts = { ...host, peers: peersOf(host), batches: createBatches(host) };
  const offersElsewhere = createHomeOffers(parts, things);
  const meetings = createHomeMeetings({ ...parts, copies: { offers: offersElsewhere } }, things);
  const copies = { offers: offersElsewhere, meetings };
  const offers = createOfferMachine(host, copies);
  const context: Context = {
    ...parts,
    copies,
    acts: things.acts,
    otherHomes: createOtherHomes({ ...host, homes: parts.peers.homes }),
    book: createBook(host, copies),
    offers,
    meetings: createMeetingMachine(host, { copies }),
    signing: createMeetingSigning({ ...parts, copies }),
    idempotency: host.idempotency(),
  };
  await host.serveRpcs(MeetingsService, import.meta.url, context);
  await host.serveRpcs(SendSourceService, import.meta.url, context);
  host.consume(onSidesGone(context));
  host.consume(onHandsChanged(context));
  host.consume(onMessagesUndelivered(context));
  host.whenDue('advance-offers', second, nextDueOf('decisions.offers'), () =>
    eachDue(context, 'decisions.offers', (id) => advanceNow(context, id)),
  );
  host.whenDue('follow-old-offers', 5 * second, { sql: nextUnfollowed }, () => followOldOffers(context));
  host.whenDue('send-offers', 5 * second, sendingDue, () => sendUnsent(context));
  host.whenDue('sign-meetings', second, context.signing.nextDue, () => context.signing.due());
}
