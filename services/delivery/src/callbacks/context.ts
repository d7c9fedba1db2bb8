import type { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { SigningContext } from '../shared/actions/post-signed.ts';
import type { Outbound } from '../shared/domain/outbound.ts';

export type Context = Pick<Host, 'database' | 'random'> &
  SigningContext & {
    outbound: Outbound;
    approvals: Client<typeof SendSourceService>;
  };
