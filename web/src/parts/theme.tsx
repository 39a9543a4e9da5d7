import type { JSX } from 'preact';
import { Icon } from './icons.tsx';

const KEY = 'hookline.theme';

/** Applies the saved theme; without one the system's theme applies. */
export function applyTheme(): void {
  const chosen = window.localStorage.getItem(KEY);
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
}

export function ThemeButton(): JSX.Element {
  const toggle = () => {
    const { dataset } = document.documentElement;
    const isDark = dataset.theme
      ? dataset.theme === 'dark'
      : window.matchMedia('(prefers-color-scheme: dark)').matches;
    dataset.theme = isDark ? 'light' : 'dark';
    window.localStorage.setItem(KEY, dataset.theme);
  };
  return (
    <button type="button" class="icon-button" aria-label="Switch between light and dark" onClick={toggle}>
      <Icon name="theme" />
    </button>
  );
}
