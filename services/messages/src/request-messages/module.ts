import type { People } from '@hearth/people';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { Host } from '@hearth/runtime';
import type { Blocks } from './actions/blocks.ts';
import { blockEvents, followBlocks } from './consumers/on-block-changed.ts';
import { followHolders, holderEvents } from './consumers/on-holder-changed.ts';
import { requestMessagesHandlers } from './rpc/index.ts';

/** What waits in requests, for the service that keeps the requests box; what a block ends, and what goes on to others. */
export function startRequestMessages(host: Host, people: People, blocks: Blocks): void {
  const { clock, database, ids, outbox } = host;
  host.serve(
    RequestMessagesService,
    requestMessagesHandlers({
      clock,
      ids,
      database,
      outbox,
      people,
      ais: host.peer('identity', AisService),
    }),
  );
  host.hear({
    durable: 'blocks',
    types: blockEvents,
    handle: (heard) =>
      followBlocks(
        { clock, database, outbox, blocks },
        heard.map(({ event }) => event),
      ),
  });
  const identity = host.peer('identity', PeopleService);
  host.hear({
    durable: 'holders',
    types: holderEvents,
    handle: (heard) =>
      followHolders(
        { clock, database, outbox, identity },
        heard.map(({ event }) => event),
      ),
  });
}
