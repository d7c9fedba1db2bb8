import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An in-memory disk of a few megabytes that a test can fill. */
export interface SmallDisk {
  folder: string;
  /** Fills all remaining space; may be called again. */
  fill(): void;
  free(): void;
  freeBytes(): number;
  unmount(): void;
}

/** Only root can mount, so other users cannot run the full-disk tests. */
export const canMount = process.platform === 'linux' && process.geteuid?.() === 0;

export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-faults-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a');
      try {
        for (;;) writeSync(file, Buffer.alloc(4_096));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    freeBytes() {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    },
    unmount() {
      execFileSync('umount', ['-l', folder]);
      rmdirSync(folder);
    },
  };
}
