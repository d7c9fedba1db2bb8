import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import type { Bus } from '@hearth/bus';
import { type ManualClock, manualClock, systemClock } from '@hearth/clock';
import { type Database, openDatabase } from '@hearth/db';
import { internal } from '@hearth/errors';
import { createIds, systemRandom } from '@hearth/ids';
import { AiStatus, type Caller, CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { CallerKind, Scope } from '@hearth/proto/options';
import type { Client, Handlers } from '@hearth/rpc';
import { type ServiceDefinition, startHome } from '@hearth/runtime';
import { createLogger } from '@hearth/telemetry';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { wholeHome } from '@hearth/testkit/services';
import { messages } from '../src/service.ts';

export interface TestMessages {
  client: Client<typeof MessagesService>;
  /** As identity calls it. */
  asIdentity: Client<typeof MessagesService>;
  clock: ManualClock;
  database: Database;
  bus: Bus;
  /** A caller whom others can write to. */
  newAi(name: string): Caller;
  stop(): Promise<void>;
}

/** Messages as it stands, on a database of its own, called over the real dispatcher; identity knows whom a test makes. */
export async function startMessages(env: Record<string, string> = {}): Promise<TestMessages> {
  const databaseFor = await createTestDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-messages-'));
  const clock = manualClock('2026-03-01T12:00:00.000Z');
  const ids = createIds(systemClock, systemRandom);
  const known = new Map<string, Caller>();
  const running = await startHome(
    wholeHome([messages, standInIdentity(known)]),
    { DATABASE_URL: databaseFor.url, HEARTH_DATA: dataFolder, HEARTH_HOME: 'hearth.example', ...env },
    { clock, log: createLogger({ level: 'error', service: 'test' }) },
  );
  const database = openDatabase({ url: databaseFor.url, clock });
  return {
    client: running.client(MessagesService, 'gateway'),
    asIdentity: running.client(MessagesService, 'identity'),
    clock,
    database,
    bus: running.bus,
    newAi(name) {
      const address = `@free-${ids.token(6).toLowerCase()}.ai-${name}`;
      const caller = create(CallerSchema, {
        kind: CallerKind.AI,
        id: ids.uuid(),
        address,
        name,
        aiStatus: AiStatus.UNCLAIMED,
        scopes: [Scope.READ, Scope.MESSAGE],
        via: Via.API,
      });
      known.set(address, caller);
      return caller;
    },
    async stop() {
      await database.close();
      await running.stop();
      await databaseFor.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

function standInIdentity(known: ReadonlyMap<string, Caller>): ServiceDefinition {
  const handlers = new Proxy({} as Handlers<typeof IdentityService>, {
    get: (_, name) => async (request: { addresses: string[]; ids: string[] }) => {
      if (name !== 'findProfiles') throw internal(`messages calls identity.${String(name)}`);
      return {
        results: [...request.addresses, ...request.ids].map((asked) => {
          const found = known.get(asked) ?? [...known.values()].find(({ id }) => id === asked);
          if (found === undefined) return {};
          const { id, address, name: called, aiStatus } = found;
          return { profile: { id, address, name: called, aiStatus } };
        }),
      };
    },
  });
  return {
    name: 'identity',
    async start(host) {
      host.serve(IdentityService, handlers);
    },
  };
}
