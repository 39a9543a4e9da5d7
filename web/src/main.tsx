import { render } from 'preact';
import { App } from './app.tsx';
import { LiveContext } from './hooks.ts';
import { openLive } from './live.ts';
import { takePassFromAddress } from './pass.ts';
import './style/base.css';
import './style/live.css';
import './style/places.css';
import './style/small.css';

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
