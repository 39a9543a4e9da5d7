import { render } from 'preact';
import { App } from './app.tsx';
import { LiveContext } from './hooks.ts';
import { openLive } from './live.ts';
import { applyTheme } from './parts/theme.tsx';
import { takePassFromAddress } from './pass.ts';
import { registerWorker } from './worker.ts';
import './style/tokens.css';
import './style/base.css';
import './style/parts.css';
import './style/now.css';
import './style/lanes.css';
import './style/session.css';
import './style/places.css';
import './style/rules.css';
import './style/health.css';
import './style/fleet.css';
import './style/narrow.css';
import './style/phone.css';
import './style/phone-places.css';
import './style/contrast.css';

applyTheme();
void registerWorker();
const expired = takePassFromAddress() === 'expired';
const place = document.getElementById('app');
if (place) {
  place.replaceChildren();
  render(
    <LiveContext.Provider value={openLive()}>
      <App expired={expired} />
    </LiveContext.Provider>,
    place,
  );
}
