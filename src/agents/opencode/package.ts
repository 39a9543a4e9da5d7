import { basename } from 'node:path';
import { packagedSettings } from '../kit/shim/settings.ts';
import { refusals } from './encode.ts';
import { host } from './host.ts';

/** The same entry is loaded by a client that is made from this one, of which only the name of its program is another. */
const id = /kilo/i.test(basename(process.execPath)) ? 'kilo' : 'opencode';

// What `"plugin": ["hookline"]` loads.
export default host(packagedSettings({ id, refusals, deadlineMs: null }));
