import { packagedSettings } from '../kit/shim/settings.ts';
import { refusals } from './encode.ts';
import { host } from './host.ts';

// What `pi install npm:hookline` loads.
export default host(packagedSettings({ id: 'pi', refusals, deadlineMs: null }));
