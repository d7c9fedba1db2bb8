import type { HostParts } from '@hearth/runtime';
import type { Mails } from '../mails/module.ts';
import type { Signalled } from './domain/signalled.ts';
import type { Watchers } from './domain/watchers.ts';

export type Context = HostParts<'bus' | 'config' | 'log'> & {
  watchers: Watchers;
  signalled: Signalled;
  mails: Mails;
};
