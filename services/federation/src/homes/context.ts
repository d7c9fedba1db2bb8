import type { HomeNames } from '@hearth/addresses';
import type { Host } from '@hearth/runtime';
import type { AskHome } from './actions/ask-home.ts';
import type { FetchedBy } from './actions/fetch-document.ts';
import type { HomeHooks, KnownHomes } from './actions/known-homes.ts';
import type { Mode } from './domain/policy.ts';

export type Context = Pick<Host, 'clock' | 'database' | 'limits'> &
  FetchedBy & {
    known: KnownHomes;
    hooks: HomeHooks;
    mode: Mode;
    homeNames: HomeNames;
    ask: AskHome;
  };
