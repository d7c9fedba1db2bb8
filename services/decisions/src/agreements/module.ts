import { day, second } from '@hearth/clock';
import type { HomeThings } from '@hearth/home-acts';
import { createIdempotency } from '@hearth/idempotency';
import { createItemNotes } from '@hearth/items';
import { createOtherHomes } from '@hearth/people';
import { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import { AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import type { Host } from '@hearth/runtime';
import { eachDue, nextDueOf } from '../shared/actions/each-due.ts';
import { changeHere } from './actions/change.ts';
import { createAgreementMachine } from './actions/change-agreement.ts';
import { passTime } from './actions/find-visible.ts';
import { createHomeAgreements } from './actions/home-agreements.ts';
import { createAgreementSigning } from './actions/sign-agreements.ts';
import { onAisChanged } from './consumers/on-ais-changed.ts';
import { onApprovalSettled } from './consumers/on-approval-settled.ts';
import { onBlocked } from './consumers/on-blocked.ts';
import { onToldElsewhere } from './consumers/on-told-elsewhere.ts';
import { type Context, peersOf } from './context.ts';
import { doErrandsLeft, errandDue } from './jobs/do-errands-left.ts';

/** request_ids of agreements never expire. */
const forEverMs = 36_500 * day;

/** Agreements between AIs: terms that all sides sign, and whether they were kept. */
export async function startAgreements(host: Host, things: HomeThings): Promise<void> {
  const { clock, database } = host;
  const parts = { ...host, peers: peersOf(host) };
  const copies = createHomeAgreements(parts, things);
  const context: Context = {
    ...parts,
    copies,
    acts: things.acts,
    things,
    otherHomes: createOtherHomes({ ...host, homes: parts.peers.homes }),
    agreements: createAgreementMachine(host, copies),
    signing: createAgreementSigning({ ...parts, copies }),
    items: createItemNotes(host),
    idempotency: createIdempotency({
      database,
      clock,
      table: 'decisions.agreement_requests',
      keptForMs: forEverMs,
    }),
  };
  await host.serveRpcs(AgreementsService, import.meta.url, context);
  await host.serveRpcs(ItemSourceService, import.meta.url, context);
  host.consume(onApprovalSettled(context));
  host.consume(onAisChanged(context));
  host.consume(onBlocked(context));
  host.consume(onToldElsewhere(context));
  host.whenDue('advance-agreements', second, nextDueOf('decisions.agreements'), () =>
    eachDue(context, 'decisions.agreements', (id) => changeHere(context, id, passTime)),
  );
  host.whenDue('sign-agreements', 5 * second, context.signing.nextDue, () => context.signing.due());
  host.whenDue('errands-of-agreements', 5 * second, errandDue, () => doErrandsLeft(context));
}
