import { ActionIcon, Menu } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { m } from '#messages';
import { type NavigationGroup, navigationGroups, topNavigationLinks } from '#office/web/navigation.ts';
import classes from '#office/web/sidebar.module.css';
import { SideSheet } from '#ui/web/office/dialogs.tsx';
import { Icon } from '#ui/web/office/office-icon.tsx';

interface NavigationProps {
  isOwner: boolean;
}

/**
 * The sidebar with every page, on screens of 1280 px or more. A narrow sidebar shows icons with names on hover, and its
 * groups open as menus. The device remembers two widths: one for the board, by default narrow, and one for all other
 * pages.
 */
export function Sidebar({ isOwner }: NavigationProps) {
  const [path] = useLocation();
  const isBoard = path === '/store/orders';
  return <Pages key={String(isBoard)} isOwner={isOwner} isBoard={isBoard} path={path} />;
}

function Pages({ isOwner, isBoard, path }: NavigationProps & { isBoard: boolean; path: string }) {
  const storageKey = isBoard ? 'office_sidebar_board' : 'office_sidebar';
  const [width, setWidth] = useState(() => localStorage.getItem(storageKey) ?? (isBoard ? 'narrow' : 'wide'));
  const isNarrow = width === 'narrow';
  const change = (): void => {
    const next = isNarrow ? 'wide' : 'narrow';
    localStorage.setItem(storageKey, next);
    setWidth(next);
  };
  return (
    <nav aria-label={m.office_navigation()} className={classes.sidebar} data-narrow={isNarrow || undefined}>
      <div className={classes.links}>
        {linksFor(isOwner).map(({ path: to, label, icon }) => (
          <Link key={to} href={to} aria-current={path === to ? 'page' : undefined} className={classes.row}>
            <Icon name={icon} />
            <span>{label}</span>
          </Link>
        ))}
        {groupsFor(isOwner).map((group) =>
          isNarrow ? (
            <GroupMenu key={group.label} group={group} path={path} />
          ) : (
            <Group key={group.label} group={group} path={path} />
          ),
        )}
      </div>
      <button type="button" className={classes.row} onClick={change}>
        <Icon name={isNarrow ? 'chevronRight' : 'chevronLeft'} />
        <span>{isNarrow ? m.office_sidebar_widen() : m.office_sidebar_narrow()}</span>
      </button>
    </nav>
  );
}

interface GroupProps {
  group: NavigationGroup;
  path: string;
}

/** A group whose pages unfold below it. The current page's group is unfolded until somebody folds it. */
function Group({ group: { label, icon, links }, path }: GroupProps) {
  const isCurrent = links.some((link) => link.path === path);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? isCurrent;
  return (
    <section aria-label={label}>
      <button
        type="button"
        className={classes.row}
        aria-expanded={isOpen}
        data-current={(isCurrent && !isOpen) || undefined}
        onClick={() => setChosen(!isOpen)}
      >
        <Icon name={icon} />
        <span>{label}</span>
        <span className={classes.arrow}>
          <Icon name="down" size="1em" />
        </span>
      </button>
      {isOpen &&
        links.map((link) => (
          <Link
            key={link.path}
            href={link.path}
            className={classes.page}
            aria-current={path === link.path ? 'page' : undefined}
          >
            {link.label}
          </Link>
        ))}
    </section>
  );
}

function GroupMenu({ group: { label, icon, links }, path }: GroupProps) {
  const [, go] = useLocation();
  return (
    <Menu position="right-start">
      <Menu.Target>
        <button
          type="button"
          className={classes.row}
          data-current={links.some((link) => link.path === path) || undefined}
        >
          <Icon name={icon} />
          <span>{label}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {links.map((link) => (
          <Menu.Item
            key={link.path}
            onClick={() => go(link.path)}
            aria-current={path === link.path ? 'page' : undefined}
          >
            {link.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** A drawer with every page in one list, on screens that are too narrow for the sidebar. */
export function NavigationDrawer({ isOwner }: NavigationProps) {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const link = (to: string, label: string) => (
    <Link
      key={to}
      href={to}
      className={classes.page}
      aria-current={path === to ? 'page' : undefined}
      onClick={() => setOpen(false)}
    >
      {label}
    </Link>
  );
  return (
    <>
      <ActionIcon aria-label={m.office_all_pages()} className={classes.burger} onClick={() => setOpen(true)}>
        <Icon name="pages" />
      </ActionIcon>
      <SideSheet opened={isOpen} onClose={() => setOpen(false)} size="20rem" title={m.office_all_pages()}>
        <nav aria-label={m.office_navigation()} className={classes.drawer}>
          {linksFor(isOwner).map((each) => link(each.path, each.label))}
          {groupsFor(isOwner).map(({ label, links }) => (
            <section key={label} aria-label={label}>
              <h2>{label}</h2>
              {links.map((each) => link(each.path, each.label))}
            </section>
          ))}
        </nav>
      </SideSheet>
    </>
  );
}

const linksFor = (isOwner: boolean) =>
  isOwner ? topNavigationLinks() : topNavigationLinks().filter(({ path }) => path === '/kitchen');
const groupsFor = (isOwner: boolean) => (isOwner ? navigationGroups() : []);
