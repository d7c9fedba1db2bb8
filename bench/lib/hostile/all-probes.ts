import type { Bounds } from '@hearth/proto-json';
import { operationProbes, pageProbes, strayProbes, type Visitor } from './anonymous.ts';
import type { Probe } from './probe.ts';
import { programProbes } from './programs.ts';
import type { HomeProbes } from './stranger.ts';

export interface Attacker {
  bounds: Bounds;
  visitor: Visitor;
  /** The client_id of a program that registered itself. */
  client: string;
  home: HomeProbes;
}

/** At least one probe for each route. */
export function allProbes({ bounds, visitor, client, home }: Attacker): Probe[] {
  return [
    ...operationProbes(bounds),
    ...pageProbes(visitor),
    ...strayProbes(),
    ...Object.values(programProbes(client)).flat(),
    ...Object.values(home).flat(),
  ];
}
