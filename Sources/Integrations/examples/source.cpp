// source FILE IDENTIFIER [NAME]: marks a file, shows the mark, and removes the mark again.
//
//     c++ -std=c++17 source.cpp $(pkg-config --cflags --libs documentsource) -o source

#include <documentsource.hpp>

#include <iostream>

static void show(const char *file) {
  const auto source = docsource::read(file);
  if (!source) {
    std::cout << file << ": no document source\n";
    return;
  }
  std::cout << file << ": " << source->identifier.value_or("-") << ", "
            << source->name.value_or("-") << " (" << source->carrier << ")\n";
}

int main(int count, char **words) {
  if (count < 3) {
    std::cerr << "usage: source FILE IDENTIFIER [NAME]\n";
    return 64;
  }
  try {
    docsource::Values values;
    values.identifier = words[2];
    if (count > 3) values.name = words[3];
    docsource::write(words[1], values);
    show(words[1]);
    const auto icon = docsource::find_icon(values.identifier, std::nullopt, 48);
    std::cout << "icon: " << icon.path.value_or("none") << '\n';
    docsource::remove(words[1]);
    show(words[1]);
    return 0;
  } catch (const docsource::Error &error) {
    std::cerr << words[1] << ": " << error.what() << '\n';
    return 2;
  }
}
