#include "ActionPlugin.hpp"
#include "PropertyPage.hpp"

#include <KPluginFactory>

// Both in one plugin, since they have half of their code in common. KDE looks for a page in another
// directory than for entries of menus, and finds a link to it there.
K_PLUGIN_FACTORY_WITH_JSON(PluginFactory, "docsource-actions.json",
                           registerPlugin<ActionPlugin>();
                           registerPlugin<PropertyPage>();)

#include "PluginFactory.moc"
