import { posix } from 'node:path';
import { circlesOf, isTest } from './law.ts';
import { serviceNamesOf } from './places.ts';
import type { Tree } from './tree.ts';

/** The layout of a service. */
export interface Rooms {
  service: string;
  /** Files and folders directly in src/, except tests. */
  rooms: number;
  /** Pairs of rooms in which one imports the other. */
  arrows: number;
  /** Rooms that import each other, directly or indirectly. */
  circles: string[][];
  lines: number;
}

export function roomsOf(tree: Tree): Rooms[] {
  return serviceNamesOf(tree).map((service) => {
    const source = `services/${service}/src`;
    const roomAt = (path: string) =>
      path.startsWith(`${source}/`) ? path.slice(source.length + 1).split('/')[0]! : null;
    const own = tree.files.filter(({ path }) => path.startsWith(`${source}/`) && !isTest(path));
    const graph = new Map<string, string[]>();
    for (const { path, imports } of own) {
      const room = roomAt(path)!;
      const targets = graph.get(room) ?? [];
      for (const { specifier } of imports.filter((one) => one.specifier.startsWith('.'))) {
        const target = roomAt(posix.join(posix.dirname(path), specifier));
        if (target !== null && target !== room && !targets.includes(target)) targets.push(target);
      }
      graph.set(room, targets);
    }
    return {
      service,
      rooms: graph.size,
      arrows: [...graph.values()].reduce((sum, targets) => sum + targets.length, 0),
      circles: circlesOf(graph),
      lines: own.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0),
    };
  });
}

/** Prints the figures as a table for a terminal. */
export function printRooms(all: readonly Rooms[]): string {
  const rows = [
    ['service', 'rooms', 'arrows', 'circles', 'lines'],
    ...all.map(({ service, rooms, arrows, circles, lines }) => [
      service,
      `${rooms}`,
      `${arrows}`,
      circles.map((circle) => [...circle, circle[0]].join(' -> ')).join('; ') || '0',
      `${lines}`,
    ]),
  ];
  return rows
    .map(([service, rooms, arrows, circles, lines]) =>
      [service!.padEnd(12), rooms!.padStart(6), arrows!.padStart(7), lines!.padStart(7), ` ${circles}`].join(
        ' ',
      ),
    )
    .join('\n');
}
