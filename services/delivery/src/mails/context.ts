import type { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import type { AppsService } from '@hearth/proto/identity/v1/apps';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { Outbound } from '../shared/domain/outbound.ts';
import type { Transport } from './actions/transport.ts';

type SendSource = Pick<Client<typeof SendSourceService>, 'prepareSends'>;

export type Context = HostParts<'config' | 'languages' | 'log' | 'people' | 'sealer'> & {
  outbound: Pick<Outbound, 'queue'>;
  transport: Transport;
  apps: Pick<Client<typeof AppsService>, 'findApps'>;
  /** The services that compose their own mails. */
  sources: Record<'approvals' | 'decisions' | 'groups' | 'identity', SendSource>;
  /** Mails (by uuid) whose callers wait in this process for the first attempt. */
  waiting: Map<string, WaitingCaller>;
};

/** A caller that waits for the first attempt. */
export interface WaitingCaller {
  /** Aborts when the caller stops waiting. */
  signal: AbortSignal;
  settled(sent: boolean): void;
}
